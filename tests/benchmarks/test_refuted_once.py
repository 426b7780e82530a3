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
]


@pytest.mark.parametrize(("seed", "families"), ONCE)
def test_a_proof_that_was_refuted_is_no_longer(seed, families):
    report = attack(seed, families)

    assert report["findings"] == []
    assert report["closed"] + report["open"] + report["refused"] > 0
