"""Tests of the parsers' `pdf.passes` package."""
