"""Loops over dense and sparse matrices: products, sums, blocks."""
