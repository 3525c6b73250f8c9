"""Set up the clients on this machine."""
