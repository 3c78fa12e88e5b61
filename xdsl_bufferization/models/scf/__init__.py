"""Models of the ops of the scf dialect."""
