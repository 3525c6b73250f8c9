"""Tests of the parsers' `markdown` package."""
