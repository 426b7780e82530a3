"""A network with one hidden layer on a table of the size of MNIST."""

from benchmarks.tasks._networks import NetworkTask

TASK = NetworkTask(
    "MLPClassifier, 60,000 × 784, hidden 100, batch 200, 5 epochs",
    shape=(60_000, 784),
    classes=10,
    settings={"hidden_layer_sizes": (100,), "batch_size": 200, "max_iter": 5},
)
