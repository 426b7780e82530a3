"""The tasks, one small file each; `ridge` is the one to copy."""
