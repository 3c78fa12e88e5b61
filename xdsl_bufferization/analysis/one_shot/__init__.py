"""One-Shot Analysis: which results reuse the buffer of which operand."""
