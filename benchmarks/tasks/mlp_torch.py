"""A narrow network of two layers beside torch, which starts from other weights."""

from itertools import pairwise

import numpy as np

from benchmarks.peers import quietly
from benchmarks.tasks._simple import SimpleTask

PASSES, BATCH, HIDDEN = 5, 64, (64, 64)


def problem(quick):
    X = np.random.default_rng(0).standard_normal((2_000 if quick else 20_000, 30))
    return X, X[:, :3].argmax(axis=1)


def _fit(room, problem):
    model = room.MLPClassifier(
        HIDDEN, batch_size=BATCH, max_iter=PASSES, random_state=0, n_iter_no_change=100
    )
    return model.fit(*problem).predict_proba(problem[0])


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
    X, y = (torch.from_numpy(each) for each in problem)
    sizes = (X.shape[1], *HIDDEN)
    layers = [torch.nn.Linear(a, b) for a, b in pairwise(sizes)]
    parts = [part for layer in layers for part in (layer, torch.nn.ReLU())]
    net = torch.nn.Sequential(*parts, torch.nn.Linear(HIDDEN[-1], 3)).double()
    steps, loss = torch.optim.Adam(net.parameters()), torch.nn.CrossEntropyLoss()
    for _ in range(PASSES):
        for rows in torch.randperm(len(X)).split(BATCH):
            steps.zero_grad()
            loss(net(X[rows]), y[rows]).backward()
            steps.step()
    with torch.no_grad():
        return torch.softmax(net(X), dim=1).numpy()


def judge(problem, answer):
    """Return the mean surprise at the labels of the fit."""
    own = answer[np.arange(len(answer)), problem[1]]
    return -np.log(own).mean()


TASK = SimpleTask(
    "MLPClassifier beside torch, 20,000 × 30, 5 passes",
    0.3,
    problem,
    judge,
    {"infimum": ours, "scikit-learn": sklearns, "torch": torchs},
    needs={"torch": "torch"},
)
