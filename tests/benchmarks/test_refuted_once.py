"""Problems of the adversary that once refuted a proof: none of them does any more."""

import pytest

from benchmarks.adversary.attack import attack

KERNELS = ("kernel losses", "kernels of any loss")
#: Seed and families; what was wrong is said beside it.
ONCE = [
    (160122, None),  # sparse Gaussian kernel values far from 0
    (160161, None),  # the risk of a factor's point, told of other coefficients
    (160385, None),  # a bound for a factor, above the optimum of the kernel
    (160391, None),  # closed on a factor, open on the kernel
    (757, KERNELS),  # the auditor's kernel matrix beside a constant column of 1e6
    (161399, None),  # a bound on a factor above the risk of the stored model
    (163969, None),  # a risk of sparse kernel values far from 0
    # Nothing to gain, and a gap that was closed by its own slack:
    *((seed, None) for seed in (160256, 160315, 160413, 160667, 160856, 162602)),
    *((seed, None) for seed in (161434, 162046, 162237, 162891)),
    # Forged points without a risk, whose slopes were taken without their rounding:
    *((seed, None) for seed in (162484, 160870, 160601, 162876, 161131, 164795)),
    # Closed at a point that rounding does not store, open under `certify`:
    *((seed, None) for seed in (160353, 161302, 161348, 160615, 162911, 164943)),
    (163202, None),  # scores of large columns: other slopes, a wider gap
    (163367, None),  # columns centred in single precision under a proof in double
    *((seed, None) for seed in (163294, 163824)),  # entropies cancel in a deviance
    # Foreign exceptions:
    *((seed, None) for seed in (160139, 163162, 160831, 162767, 162304)),
]


@pytest.mark.parametrize(("seed", "families"), ONCE)
def test_a_proof_that_was_refuted_is_no_longer(seed, families):
    report = attack(seed, families)

    assert report["findings"] == []
    assert report["closed"] + report["open"] + report["refused"] > 0
