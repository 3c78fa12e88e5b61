"""Models of the ops of the memref dialect."""
