"""One lasso of a strong penalty on wide sparse data."""

from benchmarks.lasso_problems import sparse
from benchmarks.tasks.lasso import LassoFit

TASK = LassoFit("CSC 10,000 × 100,000, 0.1 % filled", sparse)
