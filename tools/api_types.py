"""Writes web/src/lib/api.gen.ts, the types of the API, from the server's OpenAPI description.

python -m tools.api_types            writes the file
python -m tools.api_types --check    fails if the file is not what the description says
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sandtable.server.app import Settings, create_app
from sandtable.server.description import describe

TARGET = Path(__file__).resolve().parents[1] / "web" / "src" / "lib" / "api.gen.ts"
HEAD = "// The types of the API. Made from the server's OpenAPI description by tools/api_types.py: do not edit.\n"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def typescript(schemas: dict[str, Any]) -> str:
    """Return the declarations of all schemas, by name."""
    return "\n".join([HEAD, *(_declaration(name, schemas[name]) for name in sorted(schemas))])


def _declaration(name: str, schema: dict[str, Any]) -> str:
    words = f"/** {schema['description']} */\n" if "description" in schema else ""
    if "properties" not in schema:
        return f"{words}export type {name} = {_type(schema)};\n"
    required = set(schema.get("required", ()))
    fields = [
        f"  {field}{'' if field in required else '?'}: {_type(of)};" for field, of in schema["properties"].items()
    ]
    if isinstance(more := schema.get("additionalProperties"), dict):
        fields.append(f"  [more: string]: {_type(more)};")
    return f"{words}export interface {name} {{\n" + "\n".join(fields) + "\n}\n"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema or "const" in schema:
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        return " | ".join(f"'{value}'" if isinstance(value, str) else str(value).lower() for value in values)
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return _one_of(_type(one) for one in schema[several])
    kind = schema.get("type")
    if isinstance(kind, list):
        return _one_of(_type({**schema, "type": one}) for one in kind)
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(_type(one) for one in schema['prefixItems'])}]"
        item = _type(schema.get("items", {}))
        return f"({item})[]" if " " in item else f"{item}[]"
    if kind == "object":
        more = schema.get("additionalProperties", {})
        return f"Record<string, {_type(more if isinstance(more, dict) else {})}>"
    return PLAIN.get(str(kind), "unknown")


def _one_of(types: Iterable[str]) -> str:
    """A union, null last: versions of msgspec differ in where they put it."""
    return " | ".join(sorted(dict.fromkeys(types), key=lambda one: one == "null"))


def generated() -> str:
    """Return the file as it should be."""
    app = create_app(Settings(database="sqlite://"))
    return typescript(describe(app)["components"]["schemas"])


def main() -> int:
    wanted = generated()
    if "--check" in sys.argv[1:]:
        if TARGET.read_text(encoding="utf-8") == wanted:
            return 0
        print("web/src/lib/api.gen.ts is stale: run `python -m tools.api_types`", file=sys.stderr)
        return 1
    TARGET.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
