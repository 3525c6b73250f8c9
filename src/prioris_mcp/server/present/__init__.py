"""Results of the application in the shape of the wire models."""
