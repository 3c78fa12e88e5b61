"""Lowerings of the tosa ops, which the passes tosa-to-* apply."""
