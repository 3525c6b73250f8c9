"""The arguments of a call: what a model meant by them, and how much they may be."""
