"""Tests of the parsers' `xml` package."""
