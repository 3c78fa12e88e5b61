"""What ops on buffers require when they are executed, one module a dialect."""
