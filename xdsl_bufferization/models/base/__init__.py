"""Base models for the models of ops of any dialect."""
