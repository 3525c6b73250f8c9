"""Tests of the parsers' `pdf` package."""
