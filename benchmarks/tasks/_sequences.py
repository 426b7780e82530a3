"""Sequences that tasks are made of: a chain of normal laws, tagged words, OCR words."""

import os
from pathlib import Path

import numpy as np

#: Where `ocr_letters.npz` lies, which is not ours to give away.
OCR = Path(os.environ.get("OCR_LETTERS", "../shared/data/ocr_letters.npz"))


def normal_chain(steps, states=8, columns=5, seed=0):
    """Return a table drawn from a chain, and a start for its fit."""
    rng = np.random.default_rng(seed)
    across = rng.dirichlet(np.ones(states), size=states) + 2.0 * np.eye(states)
    across /= across.sum(axis=1, keepdims=True)
    means = 3.0 * rng.standard_normal((states, columns))
    hidden, levels = np.zeros(steps, dtype=int), np.cumsum(across, axis=1)
    draws = rng.random(steps)
    for t in range(1, steps):
        place = np.searchsorted(levels[hidden[t - 1]], draws[t])
        hidden[t] = min(place, states - 1)
    table = means[hidden] + rng.standard_normal((steps, columns))
    start = {
        "startprob_": np.full(states, 1.0 / states),
        "transmat_": np.full((states, states), 0.5 / states) + 0.5 * np.eye(states),
        "means_": means + 0.5 * rng.standard_normal((states, columns)),
        "covars_": np.ones((states, columns)),
    }
    return table, start


def started(kind, start, **settings):
    """Return a model of any library that starts there and keeps its start."""
    model = kind(len(start["startprob_"]), init_params="", tol=0.0, **settings)
    for name, value in start.items():
        setattr(model, name, value.copy())
    return model


def tagged_words(count, length=20, labels=10, words=5_000, seed=0):
    """Return sequences of dicts and their labels: words of unequal frequency."""
    rng = np.random.default_rng(seed)
    across = np.cumsum(rng.dirichlet(np.full(labels, 0.3), size=labels), axis=1)
    common, owner = 1.0 / np.arange(1, words + 1), rng.integers(labels, size=words)
    said = np.cumsum(
        [common * np.where(owner == k, 1.0, 0.05) for k in range(labels)], axis=1
    )
    said /= said[:, -1:]
    X, Y = [], []
    for _ in range(count):
        y = [int(rng.integers(labels))]
        for draw in rng.random(length - 1):
            y.append(min(int(np.searchsorted(across[y[-1]], draw)), labels - 1))
        w = [int(np.searchsorted(said[k], rng.random())) for k in y]
        names = ["start", *(f"w{k}" for k in w), "end"]
        X.append(
            [
                {
                    "word": names[t + 1],
                    "suffix": f"s{w[t] % 97}",
                    "shape": f"h{w[t] % 7}",
                    "title": w[t] % 3 == 0,
                    "before": names[t],
                    "after": names[t + 2],
                }
                for t in range(length)
            ]
        )
        Y.append([f"L{k}" for k in y])
    return X, Y


def ocr_words(count=None):
    """Return handwritten words as tables of 128 pixels, their letters, their folds."""
    held = np.load(OCR)
    pixels = np.unpackbits(held["X"], axis=1).astype(np.float64)
    ends = np.cumsum(held["lengths"])[:-1]
    X, y = np.split(pixels, ends), np.split(held["y"], ends)
    return X[:count], [each.tolist() for each in y[:count]], held["fold"][:count]
