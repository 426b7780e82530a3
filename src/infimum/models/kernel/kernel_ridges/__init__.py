"""Kernel ridge regression and classification, one strength or many."""
