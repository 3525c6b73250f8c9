"""The server with what the official conformance suite calls beside its own tools: same middleware, same transports.

    PRIORIS_MCP_TRANSPORT=http python -m scripts.fixtures

Names and texts are those that the suite prescribes. What the server does not offer (sampling, elicitation, requests
for input, subscriptions) has no fixture, and stands in `baselines/` with its reason.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from typing import Any

from prioris_mcp.cli import main, serve
from prioris_mcp.server.app import app

# isort: split
from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.prompts import Message
from fastmcp.tools import FunctionTool, ToolResult
from mcp.shared.exceptions import MCPError
from mcp_types import AudioContent, EmbeddedResource, ImageContent, TextContent, TextResourceContents

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
WAV = base64.b64encode(b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0@\x1f\0\0\1\0\x08\0data\0\0\0\0").decode()
_MISSING_CAPABILITY = -32021
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _image() -> ImageContent:
    return ImageContent(type="image", data=PNG, mime_type="image/png")


def _embedded(uri: str, text: str, mime_type: str = "text/plain") -> EmbeddedResource:
    return EmbeddedResource(type="resource", resource=TextResourceContents(uri=uri, mime_type=mime_type, text=text))


async def test_simple_text() -> ToolResult:
    """Answer with text."""
    return ToolResult(content=[_text("This is a simple text response for testing.")])


async def test_image_content() -> ToolResult:
    """Answer with a picture."""
    return ToolResult(content=[_image()])


async def test_audio_content() -> ToolResult:
    """Answer with sound."""
    return ToolResult(content=[AudioContent(type="audio", data=WAV, mime_type="audio/wav")])


async def test_embedded_resource() -> ToolResult:
    """Answer with a resource."""
    return ToolResult(content=[_embedded("test://embedded-resource", "This is an embedded resource content.")])


async def test_multiple_content_types() -> ToolResult:
    """Answer with one of each."""
    data = _embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
    return ToolResult(content=[_text("Multiple content types test:"), _image(), data])


async def test_error_handling() -> ToolResult:
    """Fail."""
    raise ToolError("This tool intentionally returns an error for testing")


async def test_tool_with_progress(ctx: Context) -> ToolResult:
    """Report progress three times."""
    for done in (0, 50, 100):
        await ctx.report_progress(done, 100)
        await asyncio.sleep(0.05)
    return ToolResult(content=[_text("done")])


async def test_tool_with_logging(ctx: Context) -> ToolResult:
    """Send three log messages, as clients of the older protocol may ask for."""
    for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.info(message)
        await asyncio.sleep(0.05)
    return ToolResult(content=[_text("done")])


async def test_missing_capability() -> ToolResult:
    """Need what no client of the suite declares."""
    needed: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
    raise MCPError(code=_MISSING_CAPABILITY, message="this tool needs sampling", data=needed)


async def json_schema_2020_12_tool(name: str = "") -> ToolResult:
    """Take whatever the schema allows."""
    return ToolResult(content=[_text(name)])


def test_simple_prompt() -> str:
    """Say one thing."""
    return "This is a simple prompt for testing."


def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
    """Say what was given."""
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


def test_prompt_with_embedded_resource(resourceUri: str) -> list[Message]:  # noqa: N803 - the suite's name
    """Embed a resource."""
    embedded = _embedded(resourceUri, "Embedded resource content for testing.")
    return [Message(embedded), Message("Please process the embedded resource above.")]


def test_prompt_with_image() -> list[Message]:
    """Show a picture."""
    return [Message(_image()), Message("Please analyze the image above.")]


def static_text() -> str:
    """A text."""
    return "This is the content of the static text resource."


def static_binary() -> bytes:
    """A picture."""
    return base64.b64decode(PNG)


def template(id: str) -> str:
    """Whatever is asked for."""
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


TOOLS = (
    test_simple_text,
    test_image_content,
    test_audio_content,
    test_embedded_resource,
    test_multiple_content_types,
    test_error_handling,
    test_tool_with_progress,
    test_tool_with_logging,
    test_missing_capability,
)
PROMPTS = (
    test_simple_prompt,
    test_prompt_with_arguments,
    test_prompt_with_embedded_resource,
    test_prompt_with_image,
)


def with_fixtures(server: FastMCP[Any]) -> FastMCP[Any]:
    """*server* with all of the above."""
    for function in TOOLS:
        server.tool(function)
    tool = FunctionTool.from_function(json_schema_2020_12_tool)
    server.add_tool(tool.model_copy(update={"parameters": SCHEMA}))
    for prompt in PROMPTS:
        server.prompt(prompt)
    server.resource("test://static-text", mime_type="text/plain")(static_text)
    server.resource("test://static-binary", mime_type="image/png")(static_binary)
    server.resource("test://template/{id}/data", mime_type="application/json")(template)
    return server


if __name__ == "__main__":
    vars(serve)["app"] = lambda *given, **more: with_fixtures(app(*given, **more))
    sys.exit(main([]))
