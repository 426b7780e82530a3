"""Loops of probability laws and of draws from them."""
