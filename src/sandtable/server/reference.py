"""The API as a page to read, at /api/schema. It is made here and loads nothing, so it works under our own policy."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from litestar import Response, get
from litestar.openapi.plugins import OpenAPIRenderPlugin

from .asking import Req
from .description import with_messages

STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 2.5rem; border-bottom: 1px solid color-mix(in srgb, currentColor 30%, transparent) }
h3 { font-size: 1rem; margin: 1.5rem 0 0.2rem }
h3 code { font-weight: 700 }
code { font-size: 0.95em; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% }
td { padding: 0.15rem 0.8rem 0.15rem 0; vertical-align: top }
p { margin: 0.3rem 0 } nav { columns: 14rem } nav a { display: block }
"""


@get("/api/schema/style.css", include_in_schema=False, sync_to_thread=False)
def style() -> Response[str]:
    """Return the style of the page."""
    return Response(STYLE, media_type="text/css")


class Reference(OpenAPIRenderPlugin):
    """Serves the description as a page of plain HTML."""

    def __init__(self) -> None:
        super().__init__(path="/")

    def render(self, request: Req, openapi_schema: dict[str, Any]) -> bytes:
        return page(with_messages(openapi_schema)).encode()


def page(described: dict[str, Any]) -> str:
    """Return the whole page."""
    root = described["servers"][0]["url"].rstrip("/")
    schemas = described["components"]["schemas"]
    calls = [
        (path, method, call)
        for path, methods in described["paths"].items()
        for method, call in methods.items()
        if method in ("get", "post", "put", "patch", "delete")
    ]
    parts = [
        "<!doctype html><html lang=en><head><meta charset=utf-8>",
        "<meta name=viewport content='width=device-width, initial-scale=1'><title>Sandtable: the API</title>",
        f"<link rel=stylesheet href='{escape(root)}/api/schema/style.css'></head><body><h1>Sandtable: the API</h1>",
        f"<p>{escape(described['info'].get('description', ''))} The same for programs: ",
        f"<a href='{escape(root)}/api/schema/openapi.json'>openapi.json</a>. ",
        "A seat's secret goes into the header <code>Authorization: Bearer SECRET</code>.</p><h2>Calls</h2>",
    ]
    for path, method, call in calls:
        parts += _call(path, method, call)
    parts.append("<h2>Data</h2><nav>")
    parts += [f"<a href='#{escape(name)}'>{escape(name)}</a>" for name in sorted(schemas)]
    parts.append("</nav>")
    for name in sorted(schemas):
        parts += _schema(name, schemas[name])
    return "".join([*parts, "</body></html>"])


def _call(path: str, method: str, call: dict[str, Any]) -> Iterator[str]:
    yield f"<h3><code>{method.upper()} {escape(path)}</code></h3><p>{escape(call.get('summary') or '')}</p>"
    if call.get("description"):
        yield f"<p>{escape(call['description'])}</p>"
    rows = [
        (one["name"], _type(one.get("schema", {})), one.get("description") or f"in the {one['in']}")
        for one in call.get("parameters", ())
    ]
    bodies = call.get("requestBody", {}).get("content", {}).values()
    rows += [("body", _type(content.get("schema", {})), "") for content in bodies]
    for status, answer in call.get("responses", {}).items():
        kinds = [_type(content.get("schema", {})) for content in (answer.get("content") or {}).values()]
        rows.append((status, ", ".join(dict.fromkeys(kinds)), answer.get("description") or ""))
    yield _table(rows)


def _schema(name: str, schema: dict[str, Any]) -> Iterator[str]:
    yield f"<h3 id='{escape(name)}'><code>{escape(name)}</code></h3><p>{escape(schema.get('description') or '')}</p>"
    if "properties" not in schema:
        yield f"<p><code>{_type(schema)}</code></p>"
        return
    required = set(schema.get("required", ()))
    yield _table(
        [
            (field, _type(of), (of.get("description") or "") + ("" if field in required else " (may be left out)"))
            for field, of in schema["properties"].items()
        ]
    )


def _table(rows: list[tuple[str, str, str]]) -> str:
    """A row is a name, a type as HTML, and words."""
    lines = (
        f"<tr><td><code>{escape(str(name))}</code></td><td><code>{kind}</code></td><td>{escape(words)}</td></tr>"
        for name, kind, words in rows
    )
    return f"<table>{''.join(lines)}</table>"


def _type(schema: dict[str, Any]) -> str:
    """Return a type as HTML, with links to what it names."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f"<a href='#{name}'>{name}</a>"
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            return " | ".join(dict.fromkeys(_type(one) for one in schema[word]))
    if "enum" in schema or "const" in schema:
        return " | ".join(escape(repr(one)) for one in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type", "any")
    if kind == "array":
        items = [_type(one) for one in (schema.get("items"), *schema.get("prefixItems", ())) if isinstance(one, dict)]
        return f"list of {', '.join(items)}" if items else "list"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    return escape(" | ".join(kind) if isinstance(kind, list) else str(kind))
