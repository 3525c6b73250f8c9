"""Tests of the parsers' `pdf.reader` package."""
