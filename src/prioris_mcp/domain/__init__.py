"""Hold what the program is about: values and rules, no input and no output."""
