"""Run the stand-in by hand: `python -m tests.replay [--port N] [--latency S]`."""

from __future__ import annotations

import argparse
import asyncio
import signal

from tests.replay.standin import StandIn


async def serve(port: int, latency: float) -> None:
    """Print the variables that lead a program here, then serve until told to stop."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with StandIn(port=port, latency=latency) as standin:
        for name, value in standin.env().items():
            print(f"export {name}={value}", flush=True)
        await stop.wait()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.replay", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes any free port")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    options = parser.parse_args()
    asyncio.run(serve(options.port, options.latency))


if __name__ == "__main__":
    main()
