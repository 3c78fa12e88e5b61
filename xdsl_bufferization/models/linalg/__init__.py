"""Models of the ops of the linalg dialect."""
