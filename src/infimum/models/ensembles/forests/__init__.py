"""Forests: random forests, extra trees, quantile forests, forests of comparisons."""
