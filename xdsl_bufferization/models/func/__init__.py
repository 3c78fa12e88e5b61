"""Models of the ops of the func dialect."""
