"""What several passes of this folder share; no file here is a pass."""
