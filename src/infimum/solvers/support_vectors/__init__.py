"""Dual solvers of support vector machines, and the quadratics they solve."""
