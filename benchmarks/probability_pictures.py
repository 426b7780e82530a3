"""The pictures of docs/probability.md, drawn from what the page's examples compute.

python -m benchmarks.probability_pictures
"""

import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
from scipy.stats import gaussian_kde, rankdata

__all__ = ["chains", "draw", "earthquakes", "examples"]

DOCS = Path(__file__).parent.parent / "docs"
#: Draws of each chain in the trace: more hide one another.
SHOWN, BINS = 300, 20


def examples():
    """Run the page's examples up to Old Faithful; return their variables."""
    text = (DOCS / "probability.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[:3]
    names = {}
    exec("\n".join(blocks), names)
    return names


def earthquakes(names, axes):
    """Draw the counts of years, one Poisson law and a mixture of three."""
    counts = np.arange(46)
    years = len(names["quakes"])
    mixture = names["found_mixture"]
    axes.plot(counts, years * names["one"].density(counts), "#b5541c")
    axes.plot(counts, years * mixture.density(counts), "#1d5f8a")
    axes.bar(*np.unique(names["quakes"], return_counts=True), color="#c8d2e0")
    named = ["one Poisson law", "mixture of three", "years observed"]
    axes.legend(named, frameon=False)
    axes.set(xlabel="earthquakes in a year", ylabel="years")


def chains(values, axes):
    """Draw the trace, the ranks and the density of four chains."""
    ranks = rankdata(values).reshape(values.shape)
    grid = np.linspace(values.min(), values.max(), 200)
    for chain, own in zip(values, ranks, strict=True):
        axes[0].plot(chain[:SHOWN], linewidth=0.6)
        axes[1].stairs(*np.histogram(own, BINS, (0, ranks.size + 1)))
        axes[2].plot(grid, gaussian_kde(chain)(grid))
    axes[0].set(xlabel="draw", ylabel="mean of short waits")
    axes[1].set(
        xlabel="rank among all draws", ylabel="draws of a chain", ylim=(0, None)
    )
    axes[2].set(xlabel="minutes", ylabel="density")


def draw():
    """Write both pictures."""
    from matplotlib import pyplot as plt

    mpl.rcParams.update({"axes.spines.top": False, "axes.spines.right": False})
    mpl.rcParams["svg.hashsalt"] = "infimum"
    names = examples()
    names["found_mixture"] = names["fit_mixture"](
        names["Poisson"], 3, names["quakes"], random_state=0
    ).law
    figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
    earthquakes(names, axes)
    figure.savefig(DOCS / "images" / "earthquakes.svg", metadata={"Date": None})
    figure, axes = plt.subplots(1, 3, figsize=(9, 2.8), layout="constrained")
    chains(names["draws"].values[:, :, 1], axes)
    figure.savefig(DOCS / "images" / "old_faithful.svg", metadata={"Date": None})


if __name__ == "__main__":
    draw()
