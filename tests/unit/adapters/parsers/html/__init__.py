"""Tests of the parsers' `html` package."""
