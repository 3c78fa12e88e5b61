"""Models of the ops of the bufferization dialect."""
