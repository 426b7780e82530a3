"""A network of two convolutions on digits beside torch, which starts elsewhere."""

from benchmarks.peers import quietly
from benchmarks.tasks._simple import SimpleTask
from benchmarks.tasks._torch_networks import judge, trained

BATCH, RATE = 32, 0.002


def problem(quick):
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    return X[: 300 if quick else None] / 16.0, y[: 300 if quick else None], 1


@quietly
def ours(problem, _):
    from infimum.models.neural import (
        Convolution,
        Dense,
        Flatten,
        MaxPool,
        NetworkClassifier,
    )

    X, y, passes = problem
    layers = [Convolution(16, 3, "valid", "relu"), Convolution(32, 3, "valid", "relu")]
    layers += [MaxPool(2), Flatten(), Dense(64, "relu")]
    model = NetworkClassifier(
        layers, input_shape=(8, 8, 1), learning_rate_init=RATE, batch_size=BATCH,
        max_iter=passes, random_state=0,
    )  # fmt: skip
    return model.fit(X, y).predict_proba(X)


def torchs(problem, _):
    """Train the same layers by the same batches of Adam, on two threads."""
    import torch
    from torch import nn

    torch.set_num_threads(2)
    torch.manual_seed(0)
    X, y, passes = problem
    X, y = torch.from_numpy(X).reshape(-1, 1, 8, 8), torch.from_numpy(y)
    net = nn.Sequential(
        nn.Conv2d(1, 16, 3), nn.ReLU(), nn.Conv2d(16, 32, 3), nn.ReLU(),
        nn.MaxPool2d(2), nn.Flatten(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10),
    ).double()  # fmt: skip
    steps = torch.optim.Adam(net.parameters(), RATE)
    return trained(net, steps, (X, y), BATCH, passes)


TASK = SimpleTask(
    "Two convolutions on digits beside torch, one pass",
    2.0,
    problem,
    judge,
    {"infimum": ours, "torch": torchs},
    needs={"torch": "torch"},
)
