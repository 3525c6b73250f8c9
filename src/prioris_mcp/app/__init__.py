"""Do what the program is for: one file for each verb."""
