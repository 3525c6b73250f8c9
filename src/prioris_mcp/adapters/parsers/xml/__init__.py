"""What the parsers of markup share: finding elements, and the addresses that they name."""
