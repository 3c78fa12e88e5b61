"""Analyses of deallocation: who owns, may alias, and last uses each buffer."""
