"""Checkers: they judge what passes have made, and share no analysis with them."""
