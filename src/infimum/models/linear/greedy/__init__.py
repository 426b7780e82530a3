"""Least angle regression, exact lasso paths, matching pursuits, best subsets."""
