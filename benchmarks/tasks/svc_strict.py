"""Gaussian SVC with a high price on a tall dense table."""

from benchmarks.tasks._support_vectors import SupportVectorTask

TASK = SupportVectorTask(
    "SVC (Gaussian, C = 100), 20,000 × 20, excess ≤ 1e-4", "SVC", (20_000, 20), C=100.0
)
TASK.limit = 180.0
