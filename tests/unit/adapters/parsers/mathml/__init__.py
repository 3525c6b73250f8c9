"""Tests of the parsers' `mathml` package."""
