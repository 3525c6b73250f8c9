"""The MCP server: the only folder that knows FastMCP.

FastMCP reads a `.env` of the folder it is started in, sets up logging of its own and asks a package index
for news; each is switched off here, before anything imports it.
"""

import os

os.environ.update(FASTMCP_ENV_FILE=os.devnull, FASTMCP_LOG_ENABLED="false", FASTMCP_CHECK_FOR_UPDATES="off")
