"""Checkers: they verify the results of passes, and share no analysis with them."""
