"""Networks of dense layers beside torch, which starts from other weights."""

from itertools import pairwise

import numpy as np

from benchmarks.peers import quietly
from benchmarks.tasks._simple import SimpleTask

#: The mean surprise that all must reach.
GOAL = 0.3


def beside_torch(shape, hidden, batch, passes, goal=GOAL):
    """Return the task of a table with three classes, a tenth of it if quick."""
    settings = {
        "hidden_layer_sizes": hidden, "batch_size": batch, "max_iter": passes,
        "random_state": 0, "n_iter_no_change": 100,
    }  # fmt: skip

    def problem(quick):
        n = shape[0] // 10 if quick else shape[0]
        X = np.random.default_rng(0).standard_normal((n, shape[1]))
        return X, X[:, :3].argmax(axis=1), settings

    n, d = shape
    return SimpleTask(
        f"MLPClassifier beside torch, {n:,} × {d}, {passes} passes",
        goal,
        problem,
        judge,
        {"infimum": ours, "scikit-learn": sklearns, "torch": torchs},
        needs={"torch": "torch"},
    )


def _fit(room, problem):
    X, y, settings = problem
    return room.MLPClassifier(**settings).fit(X, y).predict_proba(X)


@quietly
def ours(problem, _):
    from infimum.dropin import neural_network

    return _fit(neural_network, problem)


@quietly
def sklearns(problem, _):
    from sklearn import neural_network

    return _fit(neural_network, problem)


def torchs(problem, _):
    """Train the same layers by the same batches of Adam, on two threads."""
    import torch

    torch.set_num_threads(2)
    torch.manual_seed(0)
    X, y = (torch.from_numpy(each) for each in problem[:2])
    settings = problem[2]
    sizes = (X.shape[1], *settings["hidden_layer_sizes"])
    layers = [torch.nn.Linear(a, b) for a, b in pairwise(sizes)]
    parts = [part for layer in layers for part in (layer, torch.nn.ReLU())]
    net = torch.nn.Sequential(*parts, torch.nn.Linear(sizes[-1], 3)).double()
    steps = torch.optim.Adam(net.parameters())
    return trained(net, steps, (X, y), settings["batch_size"], settings["max_iter"])


def trained(net, steps, table, batch, passes):
    """Train a network by batches in random order; return its probabilities."""
    import torch

    (X, y), loss = table, torch.nn.CrossEntropyLoss()
    for _ in range(passes):
        for rows in torch.randperm(len(X)).split(batch):
            steps.zero_grad()
            loss(net(X[rows]), y[rows]).backward()
            steps.step()
    with torch.no_grad():
        return torch.softmax(net(X), dim=1).numpy()


def judge(problem, answer):
    """Return the mean surprise at the labels of the fit."""
    own = answer[np.arange(len(answer)), problem[1]]
    return -np.log(own).mean()
