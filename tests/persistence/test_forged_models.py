"""A forged model is refused before compiled code or an endless loop can meet it."""

import copy
import json
import zipfile

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

import infimum
from benchmarks.fuzz.forging import read_specimen, write_file
from infimum.errors import ModelFileError
from infimum.models.clustering import HDBSCAN, AgglomerativeClustering, BisectingKMeans
from infimum.models.density import KernelDensity
from infimum.models.embedding import TSNE, Isomap
from infimum.models.ensembles import (
    BaggingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
)
from infimum.models.kernel import SVC
from infimum.models.linear import LogisticRegression, Ridge
from infimum.models.neighbors import ApproximateNeighbors, KNeighborsClassifier
from infimum.models.trees import (
    ComparisonTreeClassifier,
    DecisionStump,
    DecisionTreeClassifier,
)

rng = np.random.default_rng(3)
X = rng.standard_normal((30, 3))
Y = np.where(X[:, 0] > 0, "yes", "no")
LEVELS = np.column_stack([rng.integers(5, size=30), X[:, 1:]]).astype(float)
BOOSTING = HistGradientBoostingClassifier(
    max_iter=3, min_samples_leaf=1, categorical_features=[0]
)
MEMBERS = [("a", LogisticRegression()), ("b", DecisionTreeClassifier())]


def forged(model, folder, path, change):
    """Save a model, change the array or value at a path of its file, and return it."""
    infimum.save(model, folder / "m.infimum")
    specimen = read_specimen(folder / "m.infimum")
    tree, arrays = copy.deepcopy(specimen.tree), dict(specimen.arrays)
    *way, last = path
    holder = tree["state"]
    for key in way:
        holder = (
            holder[key] if not isinstance(holder, dict) else holder.get(key, holder)
        )
        if isinstance(holder, dict):
            holder = holder.get("state", holder.get("items", holder))
    node = holder[last]
    if isinstance(node, dict) and node.get("kind") == "array":
        arrays["array-9000.npy"] = change(arrays[node["member"]].copy())
        holder[last] = {"kind": "array", "member": "array-9000.npy"}
    else:
        holder[last] = change(node)
    write_file(folder / "f.infimum", tree, arrays, specimen.manifest)
    return folder / "f.infimum"


def entry(place, value):
    """Return the change of one entry of an array."""

    def change(array):
        array[place] = value
        return array

    return change


FORGERIES = [
    # What a boosting model adds to is where it writes.
    (BOOSTING, LEVELS, ("trees_", "outputs"), entry(0, 10**6), "outputs"),
    (BOOSTING, LEVELS, ("trees_", "outputs"), entry(0, -7), "outputs"),
    (BOOSTING, LEVELS, ("trees_", "feature"), entry(0, 999), "more than 3 features"),
    (BOOSTING, LEVELS, ("trees_", "category_start"), entry(0, 10**6), "category_words"),
    (BOOSTING, LEVELS, ("trees_", "left"), entry(0, 10**6), "child of one earlier"),
    (BOOSTING, LEVELS, ("trees_", "sizes"), entry(0, 1), "BoostedTrees|Tree"),
    (
        DecisionTreeClassifier(),
        X,
        ("tree_", "left"),
        entry(0, 0),
        "child of one earlier",
    ),
    (DecisionTreeClassifier(), X, ("tree_", "right"), entry(0, 99), "child of one"),
    (DecisionTreeClassifier(), X, ("tree_", "feature"), entry(0, 3), "than 3 features"),
    (DecisionTreeClassifier(), X, ("tree_", "value"), lambda v: v[:, :1], "2 values"),
    (DecisionTreeClassifier(), X, ("n_outputs_",), lambda _: 2, "n_classes_"),
    (RandomForestClassifier(3), X, ("trees_", 1, "feature"), entry(0, 9), "features"),
    (DecisionStump(), X, ("feature_",), lambda _: 10**9, "feature_ must be index"),
    (ComparisonTreeClassifier(), X, ("trees_", 0, "left"), entry(0, 0), "after their"),
    (
        ComparisonTreeClassifier(),
        X,
        ("trees_", 0, "pivots"),
        entry((0, 1), 99),
        "samples",
    ),
    (
        BaggingClassifier(),
        X,
        ("_drawing",),
        lambda _: {"kind": "tuple", "items": []},
        "",
    ),
    (
        StackingClassifier(MEMBERS),
        X,
        ("stack_method_", 0),
        lambda _: "set_params",
        "met",
    ),
    (KNeighborsClassifier(), X, ("_y",), entry((0, 0), 10**9), "a class that is not"),
    (KNeighborsClassifier(), X, ("_fit_X",), lambda v: v[:5], "n_samples_fit_"),
    (KNeighborsClassifier(), X, ("leaf_size",), lambda _: 0, "leaf_size"),
    (ApproximateNeighbors(), X, ("n_links",), lambda _: -(10**9), "n_links"),
    (KernelDensity(), X, ("widths_",), lambda v: v[:3], "widths_"),
    (KernelDensity(), X, ("X_fit_",), entry((0, 0), np.nan), "X_fit_ must be finite"),
    (TSNE(perplexity=5), X, ("embedding_",), lambda v: v[:4], "bandwidths_|neighbours"),
    (Isomap(n_neighbors=5), X, ("_anchors",), lambda v: v[:4], "_anchors|_offsets"),
    (HDBSCAN(3), X, ("_chosen", 2), entry(0, 0), "after the one it parted from"),
    (AgglomerativeClustering(), X, ("_tree",), entry((0, 0), 58), "earlier groups"),
    (
        BisectingKMeans(3),
        X,
        ("tree_children_",),
        entry((0, 0), 0),
        "after their parent",
    ),
    (SVC(), X, ("support_",), entry(0, 10**6), "a sample that was not there"),
    (SVC(), X, ("n_support_",), entry(0, 5000), "must count the supports"),
    (Ridge(), X, ("coef_",), lambda v: v[:2], "coef_ must be float"),
    (Ridge(), X, ("coef_",), lambda v: v.astype(">f8"), "coef_ must be float"),
    (Ridge(), X, ("n_features_in_",), lambda _: 2**62, "n_features_in_|coef_"),
    (DecisionTreeClassifier(), X, ("n_features_in_",), lambda _: 2**40, "cannot have"),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "model, rows, path, change, words",
    FORGERIES,
    ids=[f"{type(f[0]).__name__}-{'.'.join(map(str, f[2]))}" for f in FORGERIES],
)
def test_a_forged_model_is_refused_when_it_is_loaded(
    model, rows, path, change, words, tmp_path
):
    y = Y if hasattr(model, "predict_proba") or isinstance(model, SVC) else X[:, 0]
    model.fit(rows, y)
    with pytest.raises(ModelFileError, match=words) as caught:
        infimum.load(forged(model, tmp_path, path, change))
    assert "\n" not in str(caught.value)


def test_an_attribute_that_nobody_declares_is_refused_both_ways(tmp_path):
    model = Ridge().fit(X, X[:, 0])
    path = forged(model, tmp_path, ("coef_",), lambda v: v)
    assert infimum.load(path).coef_.tolist() == model.coef_.tolist()
    model.note_ = 1
    with pytest.raises(ModelFileError, match="no attribute 'note_'"):
        infimum.save(model, tmp_path / "m.infimum")


def test_a_missing_attribute_is_refused(tmp_path):
    infimum.save(Ridge().fit(X, X[:, 0]), tmp_path / "m.infimum")
    specimen = read_specimen(tmp_path / "m.infimum")
    del specimen.tree["state"]["intercept_"]
    write_file(
        tmp_path / "f.infimum", specimen.tree, specimen.arrays, specimen.manifest
    )
    with pytest.raises(ModelFileError, match="Ridge lacks its intercept_"):
        infimum.load(tmp_path / "f.infimum")


@pytest.mark.parametrize(
    "node",
    [
        {
            "kind": "scalar",
            "dtype": "|S999999999",
            "value": {"kind": "bytes", "hex": "61"},
        },
        {"kind": "scalar", "dtype": "<U99999999", "value": "a"},
        {"kind": "dtype", "name": "|S999999999"},
    ],
    ids=json.dumps,
)
def test_a_file_cannot_promise_more_than_it_holds(node, forge, scaler_tree):
    with pytest.raises(ModelFileError, match=r"a scalar in it is no|is too wide"):
        infimum.load(forge(scaler_tree(None, note=node)))


def test_bytes_beside_the_members_are_refused(tmp_path):
    infimum.save(StandardScaler().fit(X), tmp_path / "m.infimum")
    data = (tmp_path / "m.infimum").read_bytes()
    assert zipfile.is_zipfile(tmp_path / "m.infimum")
    begin = data[:4]
    for more in (data + b"x", data + bytes(999), begin + data, begin + bytes(9) + data):
        (tmp_path / "f.infimum").write_bytes(more)
        with pytest.raises(ModelFileError, match=r"bytes (behind|between)|truncated"):
            infimum.load(tmp_path / "f.infimum")
