"""The processes that parse: a pool of workers that may be killed at any time, and the protocol they speak."""
