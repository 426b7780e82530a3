"""The pictures of docs/networks.md: one network with a proof, and certified radii.

``python -m benchmarks.network_pictures`` writes both into docs/images and prints what
the page says of the second: how many attacks by gradients were made, how many of them
changed an answer, and how many of those within its certified radius (none may).
"""

import sys
import warnings
from pathlib import Path

import matplotlib as mpl
import numpy as np
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning

mpl.use("Agg")
from matplotlib import pyplot as plt

from infimum.models.neural import MLPClassifier, MLPRegressor
from infimum.study.networks import ConvexReluRegressor

__all__ = ["attacked", "main"]

IMAGES = Path(__file__).parent.parent / "docs" / "images"
#: Lengths of the changes that attacks may make.
LENGTHS = np.geomspace(0.02, 4.0, 12)
STEPS = 10


def attacked(model, X, told, radius, rng):
    """Return X moved by `radius` each, step by step against the answers told.

    A step goes along the gradient of another class's lead over the answer; the way is
    kept within the ball around each row.
    """
    (W, V), (b, _) = model.coefs_, model.intercepts_
    slope = {"relu": lambda a: a > 0, "tanh": lambda a: 1.0 - np.tanh(a) ** 2}
    other = (told + rng.integers(1, V.shape[1], len(X))) % V.shape[1]
    move = 0.1 * rng.standard_normal(X.shape) * radius[:, None] / np.sqrt(X.shape[1])
    for _ in range(STEPS):
        bend = slope[model.activation]((X + move) @ W + b)
        step = ((V[:, other] - V[:, told]).T * bend) @ W.T
        length = np.maximum(np.linalg.norm(step, axis=1), 1e-300)
        move += step * (0.5 * radius / length)[:, None]
        far = np.linalg.norm(move, axis=1)
        move *= np.minimum(1.0, radius / np.maximum(far, 1e-300))[:, None]
    return X + move


def radii():
    """Draw which share of answers is proved up to a distance, and which was changed."""
    X, y = load_digits(return_X_y=True)
    X, kept = X / 16.0, np.arange(len(y)) % 4 == 0
    rng, figure = np.random.default_rng(0), plt.figure(figsize=(7, 3))
    made = changed = within = 0
    for alpha, colour in ((0.0001, "#1f6fb4"), (10.0, "#d55e00")):
        model = MLPClassifier((64,), alpha=alpha, max_iter=300, random_state=0)
        model.fit(X[~kept], y[~kept])
        rows, told = X[kept], model.predict(X[kept])
        radius = model.certified_radius(rows)
        fallen = np.full(len(rows), np.inf)
        for length in LENGTHS:
            for _ in range(3):
                moved = attacked(model, rows, told, np.full(len(rows), length), rng)
                new = model.predict(moved) != told
                made, changed = made + len(rows), changed + int(new.sum())
                within += int((new & (length < radius)).sum())
                fallen[new] = np.minimum(fallen[new], length)
        for _ in range(3):  # as far as the proof reaches, and no further
            moved = attacked(model, rows, told, 0.999 * radius, rng)
            made, within = (
                made + len(rows),
                within + int((model.predict(moved) != told).sum()),
            )
        named = f"alpha={alpha:g}, {model.score(rows, y[kept]):.1%} right"
        grid = np.geomspace(LENGTHS[0], LENGTHS[-1], 200)
        proved = (radius[:, None] > grid).mean(axis=0)
        stood = (fallen[:, None] > LENGTHS).mean(axis=0)
        plt.plot(grid, proved, color=colour, label=f"proved ({named})")
        plt.plot(LENGTHS, stood, "--", color=colour, label="withstood all attacks")
        print(f"{named}: median certified radius {np.median(radius):.3g}")
    plt.xscale("log")
    plt.xlabel("length of the change")
    plt.ylabel("share of answers")
    plt.legend(frameon=False, fontsize=8)
    plt.gca().spines[["top", "right"]].set_visible(False)
    _save(figure, "networks_radius.png")
    print(f"{made:,} attacks, {changed:,} changed an answer, {within} of them within")
    return within


def proof():
    """Draw sixty samples, the best network of one input, and descent from starts."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(-1, 1, 60))[:, None]
    t = np.sin(4 * x[:, 0]) + 0.2 * rng.standard_normal(60)
    best, figure = (
        ConvexReluRegressor(alpha=0.001).fit(x, t),
        plt.figure(figsize=(7, 3)),
    )
    grid = np.linspace(-1.05, 1.05, 400)[:, None]
    plt.plot(x[:, 0], t, "o", color="#999999", markersize=4, label="samples")
    for seed in range(3):
        # Their penalty is divided by the rows.
        net = MLPRegressor(
            hidden_layer_sizes=(6,), solver="lbfgs", alpha=0.001 * 60, max_iter=2000,
            random_state=seed,
        ).fit(x, t)  # fmt: skip
        label = None if seed else "descent, six units, three starts"
        plt.plot(grid, net.predict(grid), color="#1f6fb4", lw=1, label=label)
    plt.plot(grid, best.predict(grid), color="#d55e00", lw=2, label="the best, proved")
    kinks = best.predict(best.knots_[:, None])
    plt.plot(best.knots_, kinks, "v", color="#d55e00", label="its kinks")
    plt.xlabel("x")
    plt.ylabel("y")
    plt.ylim(-2.1, 1.4)
    plt.legend(frameon=False, fontsize=8, ncols=2)
    plt.gca().spines[["top", "right"]].set_visible(False)
    _save(figure, "networks.png")


def _save(figure, name):
    figure.savefig(IMAGES / name, dpi=110, bbox_inches="tight")
    plt.close(figure)


def main():
    """Draw both; fail if an answer changed within its certified radius."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    proof()
    return 1 if radii() else 0


if __name__ == "__main__":
    sys.exit(main())
