"""Ops that take part in buffer deallocation in a way of their own."""
