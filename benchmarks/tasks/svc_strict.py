"""Gaussian SVC with a high price on a tall dense table; LIBSVM may take an hour."""

from benchmarks.tasks._support_vectors import SupportVectorTask

TASK = SupportVectorTask(
    "SVC (Gaussian, C = 100), 20,000 × 20, excess ≤ 1e-4",
    "SVC",
    (20_000, 20),
    limit=120.0,
    C=100.0,
)
