"""A narrow network of two layers beside torch."""

from benchmarks.tasks._torch_networks import beside_torch

TASK = beside_torch((20_000, 30), hidden=(64, 64), batch=64, passes=5)
