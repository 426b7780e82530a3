"""Gaussian SVC on many features."""

from benchmarks.tasks._support_vectors import SupportVectorTask

TASK = SupportVectorTask(
    "SVC (Gaussian, C = 1), 10,000 × 200, excess ≤ 1e-4", "SVC", (10_000, 200), C=1.0
)
