"""Shape the answers that clients see."""
