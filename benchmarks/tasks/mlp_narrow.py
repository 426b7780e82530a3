"""A network with two small hidden layers on a table of few columns."""

from benchmarks.tasks._networks import NetworkTask

TASK = NetworkTask(
    "MLPClassifier, 20,000 × 30, hidden (64, 64), batch 64, 10 epochs",
    shape=(20_000, 30),
    classes=10,
    settings={"hidden_layer_sizes": (64, 64), "batch_size": 64, "max_iter": 10},
)
