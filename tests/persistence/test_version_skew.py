"""A model made with another scikit-learn release is loaded with a warning."""

import warnings

import pytest
import sklearn

import infimum
from infimum.errors import ModelFileError
from infimum.persistence import VersionWarning, inspect

VERSIONS = {"python": "3.12.1", "infimum": "0.0.9", "numpy": "2.1.0", "scipy": "1.14.0"}
MAJOR, MINOR, *_ = sklearn.__version__.split(".")


def made_with(version):
    return {"versions": {**VERSIONS, "scikit-learn": version}}


@pytest.mark.parametrize("version", ["0.24.2", f"{MAJOR}.{int(MINOR) + 1}.0", "9.0rc1"])
def test_another_release_warns_and_loads(version, forge, scaler_tree):
    path = forge(scaler_tree(None), manifest=made_with(version))
    with pytest.warns(
        VersionWarning, match=f"made with scikit-learn {version}"
    ) as told:
        loaded = infimum.load(path)
    assert loaded.with_mean is True
    assert told[0].filename == __file__


@pytest.mark.parametrize("patch", ["0", "99", "0.dev0+local"])
def test_the_same_release_does_not_warn(patch, forge, scaler_tree):
    path = forge(scaler_tree(None), manifest=made_with(f"{MAJOR}.{MINOR}.{patch}"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert infimum.load(path).with_std is False


def test_a_file_without_scikit_learn_objects_does_not_warn(forge):
    name = "infimum.features.Standardizer"
    tree = {"kind": "object", "class": name, "number": 0, "state": {}}
    path = forge(tree, manifest=made_with("0.24.2"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert type(infimum.load(path)).__name__ == "Standardizer"


def test_the_versions_in_a_new_file_are_those_of_this_environment(valid):
    versions = inspect(valid).versions
    assert versions["scikit-learn"] == sklearn.__version__
    assert versions["infimum"] == infimum.__version__


@pytest.mark.parametrize("version", ["", "one", "1.9\n", "1" * 99, None, 19])
def test_a_version_that_is_none_is_refused(version, forge, scaler_tree):
    path = forge(scaler_tree(None), manifest=made_with(version))
    with pytest.raises(ModelFileError, match="does not give the versions"):
        infimum.load(path)
