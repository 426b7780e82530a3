"""Infimum timed against its peers: same data, same reached quality, one process."""
