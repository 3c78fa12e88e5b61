"""Remarks: every copy and allocation that passes make, with its reason."""
