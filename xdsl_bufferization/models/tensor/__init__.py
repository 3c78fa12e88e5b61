"""Models of the ops of the tensor dialect."""
