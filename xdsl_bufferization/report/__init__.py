"""The report on a program: every copy with its reason, and how much memory is needed."""
