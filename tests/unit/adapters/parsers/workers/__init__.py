"""Tests of the parsers' `workers` package."""
