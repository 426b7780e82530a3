"""The lasso path on wide sparse data."""

from benchmarks.lasso_problems import sparse
from benchmarks.tasks.lasso_path import LassoPath

TASK = LassoPath("CSC 10,000 × 100,000, 0.1 % filled", sparse)
