"""Scripts of scikit-learn's example gallery with our classes, and what they draw.

``python -m benchmarks.gallery FOLDER [PART ...]``: FOLDER holds the examples that
scikit-learn's source archive has (``examples/``); a PART is a piece of a script's name.
Every script runs unchanged twice, in processes of their own: as it is, and with
``infimum.dropin.patch()`` on. Told are seconds, errors, and for each picture by how
much its pixels differ. With ``--pictures PLACE`` both are kept there, side by side.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

__all__ = ["SCRIPTS", "Shown", "main", "show"]

#: Scripts that use our classes, need no network and end within a minute.
SCRIPTS = (
    "calibration/plot_calibration.py",
    "calibration/plot_compare_calibration.py",
    "classification/plot_classifier_comparison.py",
    "classification/plot_lda_qda.py",
    "cluster/plot_agglomerative_dendrogram.py",
    "cluster/plot_cluster_comparison.py",
    "cluster/plot_dbscan.py",
    "cluster/plot_kmeans_assumptions.py",
    "cluster/plot_mini_batch_kmeans.py",
    "covariance/plot_covariance_estimation.py",
    "covariance/plot_mahalanobis_distances.py",
    "covariance/plot_sparse_cov.py",
    "cross_decomposition/plot_compare_cross_decomposition.py",
    "decomposition/plot_ica_blind_source_separation.py",
    "decomposition/plot_kernel_pca.py",
    "decomposition/plot_pca_iris.py",
    "ensemble/plot_adaboost_regression.py",
    "ensemble/plot_gradient_boosting_regression.py",
    "ensemble/plot_isolation_forest.py",
    "gaussian_process/plot_gpc.py",
    "gaussian_process/plot_gpr_noisy_targets.py",
    "linear_model/plot_huber_vs_ridge.py",
    "linear_model/plot_lasso_lasso_lars_elasticnet_path.py",
    "linear_model/plot_logistic_multinomial.py",
    "linear_model/plot_quantile_regression.py",
    "linear_model/plot_ridge_path.py",
    "linear_model/plot_robust_fit.py",
    "manifold/plot_mds.py",
    "miscellaneous/plot_anomaly_comparison.py",
    "miscellaneous/plot_isotonic_regression.py",
    "miscellaneous/plot_kernel_ridge_regression.py",
    "mixture/plot_gmm_covariances.py",
    "neighbors/plot_classification.py",
    "neighbors/plot_kde_1d.py",
    "neighbors/plot_lof_outlier_detection.py",
    "neural_networks/plot_mlp_alpha.py",
    "semi_supervised/plot_label_propagation_structure.py",
    "semi_supervised/plot_semi_supervised_versus_svm_iris.py",
    "svm/plot_iris_svc.py",
    "svm/plot_oneclass.py",
    "svm/plot_svm_regression.py",
    "tree/plot_cost_complexity_pruning.py",
    "tree/plot_iris_dtc.py",
    "tree/plot_tree_regression.py",
    "tree/plot_unveil_tree_structure.py",
)
#: What runs a script: argument 1 is the script, 2 a folder for its pictures.
#: Scripts that draw without a seed get one.
RUNNER = """
import runpy, sys
import matplotlib
import numpy
numpy.random.seed(0)
matplotlib.use("Agg")
import matplotlib.pyplot as plt
{patch}
runpy.run_path(sys.argv[1], run_name="__main__")
for number in plt.get_fignums():
    plt.figure(number).savefig(f"{{sys.argv[2]}}/{{number:02d}}.png", dpi=60)
"""
PATCH = "import infimum.dropin; infimum.dropin.patch()"


@dataclass(frozen=True)
class Shown:
    """What a script made: how long it took, how it failed if it did, its pictures."""

    seconds: float
    error: str
    pictures: tuple[Path, ...]


def show(script: Path, place: Path, *, patched: bool) -> Shown:
    """Run a script and keep the pictures that it leaves open."""
    place.mkdir(parents=True, exist_ok=True)
    code = RUNNER.format(patch=PATCH if patched else "")
    start = time.perf_counter()
    told = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, str(script), str(place)],
        cwd=script.parent, capture_output=True, text=True, check=False,
        env={**os.environ, "MPLBACKEND": "Agg"},
    )  # fmt: skip
    last = told.stderr.strip().splitlines()[-1:] if told.returncode else []
    seconds = time.perf_counter() - start
    return Shown(seconds, "".join(last), tuple(sorted(place.glob("*.png"))))


def apart(first: Path, second: Path) -> float:
    """Return the share of pixels that differ by more than a tenth of the range."""
    from matplotlib.image import imread

    one, other = imread(first)[..., :3], imread(second)[..., :3]
    if one.shape != other.shape:
        return 1.0
    return float((np.abs(one - other).max(axis=2) > 0.1).mean())


def main(arguments: list[str] | None = None) -> int:
    """Run scripts both ways; return how many fail with us and not without."""
    parser = argparse.ArgumentParser(prog="benchmarks.gallery", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--pictures", type=Path)
    asked = parser.parse_args(arguments)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        place = asked.pictures or Path(folder)
        for name in SCRIPTS:
            if asked.parts and not any(part in name for part in asked.parts):
                continue
            script, own = (asked.folder / name).resolve(), place / Path(name).stem
            theirs = show(script, own / "theirs", patched=False)
            ours = show(script, own / "ours", patched=True)
            failed += bool(ours.error and not theirs.error)
            sys.stdout.write(f"{name:55} {_told(theirs, ours)}\n")
            sys.stdout.flush()
    return failed


def _told(theirs: Shown, ours: Shown) -> str:
    if ours.error or theirs.error:
        return f"theirs: {theirs.error or 'fine'}; ours: {ours.error or 'fine'}"
    if len(ours.pictures) != len(theirs.pictures):
        return f"{len(theirs.pictures)} pictures, ours {len(ours.pictures)}"
    pairs = zip(theirs.pictures, ours.pictures, strict=True)
    shares = " ".join(f"{apart(a, b):.1%}" for a, b in pairs)
    return f"{theirs.seconds:5.1f} s, ours {ours.seconds:5.1f} s; differ: {shares}"


if __name__ == "__main__":
    sys.exit(main())
