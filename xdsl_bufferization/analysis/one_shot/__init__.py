"""One-Shot Analysis: which results take over the buffer of which operand."""
