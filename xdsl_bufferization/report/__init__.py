"""The report on a program: every copy with its reason, and the memory that it needs."""
