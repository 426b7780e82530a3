"""Work in parts: in order, on all cores, and safely inside itself."""

import subprocess
import sys

import numpy as np

from infimum.compiled.threads import in_parts
from infimum.kernels import Matern
from infimum.objectives import kernel_tiles

NESTED = """
from infimum.compiled.threads import in_parts
print(in_parts(6, lambda a: sum(in_parts(4, lambda b: b.stop - b.start, 4)), 6))
"""


def test_parts_come_back_in_their_order():
    assert in_parts(10, lambda rows: rows.start, 5) == [0, 2, 4, 6, 8]


def test_work_that_shares_its_own_work_does_not_wait_for_itself():
    run = subprocess.run(
        [sys.executable, "-c", NESTED],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert run.stdout.strip() == str([4] * 6)


def test_tiles_of_a_kernel_that_fills_its_own_tiles_on_all_cores():
    # Wide enough for a tile of it to be shared again, which once waited for ever.
    X = np.random.default_rng(0).standard_normal((17_000, 1))
    tiles = kernel_tiles(Matern(), X)
    some = tiles.block(np.arange(130))
    np.testing.assert_allclose(some[:, :5], Matern()(X[:130], X[:5]))
