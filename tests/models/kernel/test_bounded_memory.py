"""A support vector machine keeps within the memory it was given."""

import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks import svc_memory
from infimum.models.kernel import SVC


def peak():
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    [kilobytes] = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    return int(kilobytes) / 1024


def forget_peak():
    """Let the peak begin anew from what is in use."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 4))
    X[:, 0] += np.where(rng.random(20_000) < 0.5, 2.0, -2.0)
    y = X[:, 0] + 0.1 * rng.normal(size=20_000) > 0
    SVC(gamma=0.1).fit(X[:2_000], y[:2_000])  # loads the machine code
    return X, y


def growth(cache_size, samples):
    """Return by how many megabytes a fit raises what the process takes."""
    forget_peak()
    before = peak()
    machine = SVC(gamma=0.1, cache_size=cache_size).fit(*samples)
    assert machine.certificate_.closed
    return peak() - before


def test_memory_for_kernel_values_is_what_cache_size_says(samples):
    # All kernel values of 20,000 samples would take 1,600 megabytes.
    assert growth(50, samples) <= 50 + 40
    assert growth(20, samples) <= 20 + 40


def test_the_peak_of_a_large_fit_is_measured_in_a_process_of_its_own(
    capsys, monkeypatch
):
    assert svc_memory.main(["500"]) == 0
    assert re.search(r"500 × 20: .* peak 0\.\d\d GiB", capsys.readouterr().out)
    monkeypatch.setattr(svc_memory, "fit_elsewhere", lambda _: (1e-6, 4.1))
    assert svc_memory.main([]) == 1
    assert "100,000 × 20" in capsys.readouterr().out
