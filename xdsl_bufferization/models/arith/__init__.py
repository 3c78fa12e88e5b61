"""Models of the ops of the arith dialect."""
