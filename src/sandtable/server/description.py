"""The OpenAPI description of the server, with the messages of the WebSocket among its schemas."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Litestar
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import OpenAPI

from sandtable.host.messages import (
    BookFace,
    BriefingFace,
    DigestFace,
    Domain,
    Hello,
    Message,
    MoveInfo,
    RemarkFace,
    Request,
    ReviewFace,
    StaffPlan,
    StoryFace,
    VariationStep,
)

from .asking import Req

_PREFIX = "#/components/schemas/"
_VALUE = {
    "description": "A value of a field: a word, a number, yes or no, nothing, or a list of values.",
    "anyOf": [
        {"type": "string"},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "null"},
        {"type": "array", "items": {"$ref": f"{_PREFIX}Value"}},
    ],
}
_ACTION = {
    "description": "An action: what to do, and its fields by name.",
    "type": "object",
    "properties": {"do": {"type": "string"}},
    "required": ["do"],
    "additionalProperties": {"$ref": f"{_PREFIX}Value"},
}


def with_messages(description: dict[str, Any]) -> dict[str, Any]:
    """Return the description with the schemas of everything that goes over a match's WebSocket."""
    wanted = [
        Hello,
        Domain,
        Request,
        Message,
        list[MoveInfo],
        BriefingFace,
        BookFace,
        list[StaffPlan],
        list[RemarkFace],
        ReviewFace,
        DigestFace,
        StoryFace,
        VariationStep,
    ]
    named, found = msgspec.json.schema_components(wanted, ref_template=f"{_PREFIX}{{name}}")
    unions = {"Domain": named[1], "ClientRequest": named[2], "HostMessage": named[3]}
    schemas = {**description["components"]["schemas"], **found, **unions, "Value": _VALUE, "ActionData": _ACTION}
    return {**description, "components": {**description["components"], "schemas": schemas}}


class Description(JsonRenderPlugin):
    """Serves the description as JSON."""

    def render(self, request: Req, openapi_schema: dict[str, Any]) -> bytes:
        return super().render(request, with_messages(openapi_schema))


def describe(app: Litestar) -> dict[str, Any]:
    """Return the description as the server gives it."""
    schema: OpenAPI = app.openapi_schema
    return with_messages(schema.to_schema())
