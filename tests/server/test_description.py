"""The browser's types are those of the server's description."""

from __future__ import annotations

from tools.api_types import TARGET, generated, typescript


def test_the_browsers_types_are_not_stale() -> None:
    assert TARGET.read_text(encoding="utf-8") == generated(), "run `python -m tools.api_types`"


def test_a_schema_becomes_a_type() -> None:
    schemas = {
        "Face": {
            "description": "A face.",
            "properties": {
                "name": {"type": "string"},
                "colour": {"enum": ["red", "blue"]},
                "at": {"type": "array", "prefixItems": [{"type": "integer"}, {"$ref": "#/components/schemas/Value"}]},
                "next": {"anyOf": [{"$ref": "#/components/schemas/Face"}, {"type": "null"}]},
                "parts": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "number"}}},
            },
            "required": ["name", "at"],
        },
        "Value": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    }
    assert typescript(schemas).splitlines()[2:] == [
        "/** A face. */",
        "export interface Face {",
        "  name: string;",
        "  colour?: 'red' | 'blue';",
        "  at: [number, Value];",
        "  next?: Face | null;",
        "  parts?: Record<string, number[]>;",
        "}",
        "",
        "export type Value = string | null;",
    ]
