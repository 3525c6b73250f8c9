"""A stand-in for the services the server talks to, so that tests need no network.

The server runs unmodified as a child process and is led here by its environment:

    with running(latency=0.1) as standin:                      # or: async with StandIn() as standin
        start_server(env={**os.environ, **standin.env()})
        standin.fault("rate_limit", host="export.arxiv.org", path="/api/*", times=2, retry_after=5)
        ...
        assert min(standin.gaps()) >= 3 and standin.overlaps() == 0
        assert standin.targets("export.arxiv.org") == ["/api/query?id_list=2106.09685&max_results=1"]

Answers come from small simulations, one file each, which `hosts.py` assigns to hosts; the kinds
of faults are in `faults.py`.  Nothing is forwarded, and only loopback is used.
"""

from tests.replay.asked import Asked
from tests.replay.standin import StandIn
from tests.replay.thread import running

__all__ = ["Asked", "StandIn", "running"]
