"""A small valid model file, and a forger who can write invalid ones."""

import hashlib
import json
import zipfile

import numpy as np
import pytest
import sklearn
from sklearn.preprocessing import StandardScaler

import infimum

VERSIONS = {
    "python": "3.11.7",
    "infimum": "0.1.0",
    "numpy": "2.4.6",
    "scipy": "1.17.1",
    "scikit-learn": sklearn.__version__,
}


@pytest.fixture
def scaler():
    return StandardScaler().fit(np.array([[0.0, 1.0], [2.0, 5.0], [7.0, 2.0]]))


@pytest.fixture
def valid(scaler, tmp_path):
    path = tmp_path / "scaler.infimum"
    infimum.save(scaler, path, extra={"target": "price"})
    return path


@pytest.fixture
def forge(tmp_path):
    """Return a writer of archives whose hashes are right, whatever they contain."""

    def write(tree, arrays=None, manifest=None, more=(), method=zipfile.ZIP_STORED):
        path = tmp_path / "forged.infimum"
        members = {"model.json": _bytes(tree), **(arrays or {})}
        entries = {name: describe(data) for name, data in members.items()}
        document = {
            "format": "infimum model",
            "schema": 1,
            "class": tree["class"] if isinstance(tree, dict) else "?",
            "versions": VERSIONS,
            "extra": {"kind": "dict", "items": []},
            "members": entries,
            **(manifest or {}),
        }
        vouched = json.dumps(document).encode()
        with zipfile.ZipFile(path, "w", method) as archive:
            for name, data in (*members.items(), ("manifest.json", vouched), *more):
                archive.writestr(zipfile.ZipInfo(name), data, method)
            archive.comment = hashlib.sha256(vouched).hexdigest().encode()
        return path

    return write


@pytest.fixture
def scaler_tree():
    """Return the JSON of a scaler whose attribute `mean_` is the given node."""

    def tree(mean, **more):
        state = {"with_mean": True, "with_std": False, "copy": True, "mean_": mean}
        return {
            "kind": "object",
            "class": "sklearn.preprocessing.StandardScaler",
            "number": 0,
            "state": {**state, **more},
        }

    return tree


def describe(data):
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def _bytes(tree):
    return tree if isinstance(tree, bytes) else json.dumps(tree).encode()
