"""Least squares, ridge regression and Bayesian regression, solved by linear algebra."""
