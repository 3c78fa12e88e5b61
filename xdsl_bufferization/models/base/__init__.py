"""Base models that ops of any dialect derive theirs from."""
