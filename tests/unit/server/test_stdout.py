"""Standard output, shared by the protocol and by answers that it knows nothing of."""

from __future__ import annotations

import json
import os
import subprocess
import sys

PROGRAM = """
import os, sys, threading
from prioris_mcp.server.stdio.stdout import sharing_output

with sharing_output() as say:
    print("stray")
    os.write(1, b"stray as well\\n")
    line = b"x" * 99_999 + b"\\n"
    writers = [threading.Thread(target=lambda: [sys.stdout.buffer.write(line) for _ in range(20)]) for _ in range(3)]
    writers += [threading.Thread(target=lambda: [say({"y": "z" * 9_999}) for _ in range(20)])]
    for each in writers: each.start()
    for each in writers: each.join()
print("after")
"""


def test_lines_stay_whole_and_strays_stay_out() -> None:
    """However many threads write; what is printed goes to standard error, and afterwards where it always went."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True, env=env)
    *lines, last = done.stdout.splitlines()
    assert last == b"after"
    assert sorted(map(len, lines)) == [len(json.dumps({"y": "z" * 9_999}))] * 20 + [99_999] * 60
    assert {bytes(sorted(set(line))) for line in lines if line.startswith(b"x")} == {b"x"}
    assert sorted(done.stderr.splitlines()) == [b"stray", b"stray as well"]
