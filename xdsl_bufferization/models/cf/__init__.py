"""Models of the ops of the cf dialect."""
