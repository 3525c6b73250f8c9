"""Tests of the parsers' `jats` package."""
