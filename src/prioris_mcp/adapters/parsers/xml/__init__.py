"""What the parsers of markup share: elements, and the addresses that they name."""
