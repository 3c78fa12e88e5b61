"""Code shared by several passes of this folder; no file here is a pass."""
