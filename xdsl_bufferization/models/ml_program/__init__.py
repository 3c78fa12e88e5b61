"""Models of the ops of the ml_program dialect."""
