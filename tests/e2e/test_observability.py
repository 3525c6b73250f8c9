"""What an operator sees of a running server: its log, and spans where somebody wants them."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.e2e.conftest import Launch
from tests.e2e.process import FETCH, METADATA, Server

SECRET = "k-very-secret"
EXPORTER = """
import json, os

class Exporter:
    def export(self, spans):
        with open(os.environ["SPANS"], "a") as out:
            for span in spans:
                print(json.dumps({"name": span.name, "attributes": dict(span.attributes)}), file=out)

    def shutdown(self):
        pass

    def force_flush(self, timeout_millis=0):
        return True
"""


def objects(server: Server) -> list[dict[str, object]]:
    """The server's log, each line of which is one JSON object."""
    return [json.loads(line) for line in server.stderr.splitlines()]


def calls(server: Server) -> list[tuple[object, object]]:
    """Tool and code of each call in the log, which all took some time."""
    found = [line for line in objects(server) if "tool" in line]
    assert all(isinstance(line["ms"], float) and line["level"] == "INFO" for line in found)
    return [(line["tool"], line["code"]) for line in found]


def test_each_call_is_one_line_of_json(launch: Launch) -> None:
    """Successes and failures, with name, milliseconds and code; every line of the log is JSON."""
    server = launch({"PRIORIS_MCP_LOG_FORMAT": "json"})
    server.ok(METADATA, arxiv_ids=["2106.09685"])
    server.fails(FETCH, arxiv_id="nonsense", format="pdf")
    server.call("no_such_tool\n", {})
    server.close()
    assert server.wait() == 0
    assert calls(server) == [
        (METADATA, "ok"),
        (FETCH, "invalid_request"),
        ("no_such_tool\n", "invalid_request"),
    ]


def test_as_text_it_is_a_line_as_well(launch: Launch) -> None:
    """For people, which is the default."""
    server = launch()
    server.ok("research_list_fetched")
    server.close()
    server.wait()
    (line,) = [line for line in server.stderr.splitlines() if "research_list_fetched" in line]
    assert line.endswith(" ms ok")


def test_no_arguments_are_logged(launch: Launch) -> None:
    """What somebody reads or writes down is nobody's business, and a secret least of all."""
    server = launch({"PRIORIS_MCP_LOG_FORMAT": "json", "PRIORIS_MCP_OPENALEX_API_KEY": SECRET})
    server.ok("research_notes_search", keyword="very private words")
    server.call(SECRET, {})
    server.close()
    server.wait()
    assert "private" not in server.stderr
    assert SECRET not in server.stderr
    assert "***" in server.stderr


@pytest.fixture
def exporter(tmp_path: Path) -> tuple[dict[str, str], Path]:
    """An installed exporter "otlp" that writes to a file, as an environment, and the file."""
    info = tmp_path / "site" / "filed-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: filed\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[opentelemetry_traces_exporter]\notlp_proto_http = filed:Exporter\n")
    (info.parent / "filed.py").write_text(EXPORTER)
    spans = tmp_path / "spans.jsonl"
    return {"OTEL_TRACES_EXPORTER": "otlp", "PYTHONPATH": str(info.parent), "SPANS": str(spans)}, spans


def test_spans_are_written_where_they_are_wanted(launch: Launch) -> None:
    """To standard error, with the tool and its code; standard output stays the protocol's."""
    pytest.importorskip("opentelemetry.sdk")
    server = launch({"OTEL_TRACES_EXPORTER": "console"})
    server.ok("research_list_fetched")
    server.close()
    assert server.wait() == 0
    assert '"name": "tools/call research_list_fetched"' in server.stderr
    assert '"prioris_mcp.code": "ok"' in server.stderr
    assert '"service.name": "prioris-mcp"' in server.stderr
    assert server.strays() == []


def test_spans_reach_an_exporter(launch: Launch, exporter: tuple[dict[str, str], Path]) -> None:
    """With the code of each call; also the last ones, when the client leaves or a signal comes."""
    pytest.importorskip("opentelemetry.sdk")
    env, spans = exporter
    server = launch(env)
    server.ok("research_list_fetched")
    server.fails(FETCH, arxiv_id="nonsense", format="pdf")
    server.signal(signal.SIGTERM)
    assert server.wait() == 0
    found = {line["name"]: line["attributes"] for line in map(json.loads, spans.read_text().splitlines())}
    assert found["tools/call research_list_fetched"]["prioris_mcp.code"] == "ok"
    assert found[f"tools/call {FETCH}"]["prioris_mcp.code"] == "invalid_request"
    assert "nonsense" not in json.dumps(found)


@pytest.mark.parametrize("name", ["console", "otlp,no_such_exporter"])
def test_what_is_missing_is_a_warning(launch: Launch, name: str) -> None:
    """The server works on, whatever is not installed or does not answer, and ends at once."""
    server = launch({"OTEL_TRACES_EXPORTER": name, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"})
    server.ok("research_list_fetched")
    server.close()
    assert server.wait() == 0


def test_without_the_variable_nothing_is_imported(launch: Launch) -> None:
    """Nor is it where the SDK is switched off."""
    server = launch({"OTEL_TRACES_EXPORTER": "console", "OTEL_SDK_DISABLED": "true"})
    server.ok("research_list_fetched")
    server.close()
    server.wait()
    assert "span" not in server.stderr
