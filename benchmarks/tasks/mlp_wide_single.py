"""The network of `mlp_wide` in single precision."""

import numpy as np

from benchmarks.tasks._networks import NetworkTask

TASK = NetworkTask(
    "MLPClassifier, 60,000 × 784, single precision, 5 epochs",
    shape=(60_000, 784),
    classes=10,
    settings={"hidden_layer_sizes": (100,), "batch_size": 200, "max_iter": 5},
    dtype=np.float32,
)
