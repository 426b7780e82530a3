"""Whether our answers are worse than scikit-learn's, or only other by chance.

``python -m benchmarks.everyday_quality SGDClassifier KMeans`` fits both libraries on
many tables of the family of `benchmarks.everyday_cases` and prints the mean difference
of their qualities with its standard error; more than two of these below 0 is no chance.
"""

import argparse
import sys
import warnings
from collections.abc import Sequence

import numpy as np

from benchmarks.everyday_cases import FAMILY, arguments, draw, pairs, quality
from infimum.typing import Vector

__all__ = ["differences", "main"]

#: What a table of 300 rows once made look worse here.
SUSPECTS = (
    *("SGDClassifier", "AdaBoostClassifier", "DecisionTreeRegressor"),
    *("RANSACRegressor", "KMeans", "MiniBatchKMeans", "PassiveAggressiveClassifier"),
    "PassiveAggressiveRegressor",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each class and size."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.everyday_quality")
    parser.add_argument("names", nargs="*", default=SUSPECTS)
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--rows", type=int, default=300)
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    for name in options.names:
        apart = differences(name, options.tables, (options.rows, 10))
        error = apart.std(ddof=1) / np.sqrt(len(apart))
        told = f"{apart.mean():+.4f} ± {error:.4f}, {np.mean(apart < 0):.0%} worse"
        sys.stdout.write(f"{name:28} {options.rows:6} rows  {told}\n")
    return 0


def differences(name: str, tables: int, size: tuple[int, int]) -> Vector:
    """Return ours minus theirs on many tables; inertia as a share of theirs."""
    found = []
    for seed in range(tables):
        table = draw(name, FAMILY[seed % len(FAMILY)], size, seed)
        grades = []
        for maker in pairs()[name]:
            model = maker(**arguments(name, maker, seed)).fit(table.X, table.y)
            grades.append(quality(model, table))
        ours, theirs = grades
        if ours is not None and theirs is not None:
            unit = abs(theirs) if hasattr(model, "inertia_") else 1.0
            found.append((ours - theirs) / unit)
    return np.array(found)


if __name__ == "__main__":
    sys.exit(main())
