"""``python -m prioris_mcp``."""

import sys

from prioris_mcp.cli import main

if __name__ == "__main__":
    sys.exit(main())
