"""The outside, one folder for each thing; no folder knows another."""
