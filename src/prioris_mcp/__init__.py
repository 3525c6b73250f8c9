"""PriorisMCP: find, fetch, read, search, cite and annotate prior art, over the Model Context Protocol."""

import os

__version__ = "0.1.0"

# Libraries that tell their vendors that they are imported read these then: here nothing else can have been before.
os.environ.update(ORT_DISABLE_TELEMETRY="1", HF_HUB_DISABLE_TELEMETRY="1", DO_NOT_TRACK="1")
