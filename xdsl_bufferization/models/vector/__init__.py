"""Models of the ops of the vector dialect."""
