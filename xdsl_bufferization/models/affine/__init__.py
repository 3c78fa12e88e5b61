"""Models of the ops of the affine dialect."""
