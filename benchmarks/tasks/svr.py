"""Gaussian SVR on a tall dense table."""

from benchmarks.tasks._support_vectors import SupportVectorTask

TASK = SupportVectorTask(
    "SVR (Gaussian), 20,000 × 20, excess ≤ 1e-4", "SVR", (20_000, 20)
)
