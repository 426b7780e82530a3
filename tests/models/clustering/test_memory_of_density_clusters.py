"""Where all samples are near each other, DBSCAN holds no more than the data."""

import subprocess
import sys

#: Few samples first, so that loops are compiled, and then many in one ball: in a tree,
#: by products, and by blocks of distances.
SCRIPT = """
import resource
import numpy as np
from infimum.models.clustering import DBSCAN

def fit(n, d, metric):
    X = np.random.default_rng(0).uniform(size=(n, d))
    return DBSCAN(eps=2.0 * d, min_samples=9, metric=metric).fit(X).labels_.max()

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

forms = [(20_000, 3, "euclidean"), (9_000, 20, "euclidean"), (6_000, 3, "manhattan")]
for _, d, metric in forms:
    fit(400, d, metric)
before = peak()
labels = [int(fit(*form)) for form in forms]
print(peak() - before, max(labels))
"""


def test_a_dense_neighbourhood_is_never_listed():
    command = [sys.executable, "-c", SCRIPT]
    told = subprocess.run(command, capture_output=True, check=True, text=True)
    mebibytes, last = map(int, told.stdout.split())
    assert last == 0
    # Lists of neighbours would take 3,000, 600 and 270 MiB.
    assert mebibytes < 80
