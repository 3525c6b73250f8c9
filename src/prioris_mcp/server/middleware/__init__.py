"""What every call passes through."""
