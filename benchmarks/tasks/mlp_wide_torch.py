"""The network of `mlp_wide` beside torch."""

from benchmarks.tasks._torch_networks import beside_torch

TASK = beside_torch((60_000, 784), hidden=(100,), batch=200, passes=5)
