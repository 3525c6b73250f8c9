"""What is special to standard input and output."""
