"""One-class machine on a tall dense table."""

from benchmarks.tasks._support_vectors import SupportVectorTask

TASK = SupportVectorTask(
    "One-class SVM (Gaussian, nu = 0.1), 50,000 × 20, excess ≤ 1e-4",
    "OneClassSVM",
    (50_000, 20),
    room="novelty",
    nu=0.1,
)
