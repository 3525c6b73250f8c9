"""Tests of the parsers, with parser functions that misbehave on purpose."""
