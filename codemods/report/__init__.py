"""Findings for people and for machines. Nothing here prints, reads a file, or knows the command line."""
