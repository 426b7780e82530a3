"""A file made to harm, with all its hashes right, is refused in one sentence."""

import io
import json
import zipfile

import numpy as np
import pytest

import infimum
from infimum.errors import ModelFileError

ARRAY = {"kind": "array", "member": "array-0000.npy"}


def numbered(value):
    """Name a case by what it must be told, and by nothing when it is bytes."""
    return value[:40] if isinstance(value, str) else ""


def npy(array, **options):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, **options)
    return stream.getvalue()


def header(text, data=b"", version=(1, 0)):
    line = text.encode("latin-1") + b"\n"
    prefix = np.lib.format.magic(*version) + len(line).to_bytes(2, "little")
    return prefix + line + data


def promise(descr="'<f8'", order="False", shape="(1,)"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


def refused(path, words):
    with pytest.raises(ModelFileError, match=words) as caught:
        infimum.load(path)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")
    assert len(str(caught.value)) < 400


def test_the_forger_can_also_write_a_valid_file(forge, scaler_tree):
    mean = npy(np.array([2.0]))
    loaded = infimum.load(forge(scaler_tree(ARRAY), {"array-0000.npy": mean}))
    assert loaded.mean_.tolist() == [2.0]


@pytest.mark.parametrize(
    "data, words",
    [
        (npy(np.array([print], object)), r"data type '\|O' is not admitted"),
        (header(promise("'|O'"), b"\x80\x04K\x01."), r"'\|O' is not admitted"),
        (npy(np.zeros(1, "f8,i4")), "header of array-0000.npy is not understood"),
        (header(promise("'|V8'"), bytes(8)), "not admitted"),
        (header(promise("'<f16'"), bytes(16)), "not admitted"),
        (header(promise("'<U0'", shape="(1000000,)")), "not admitted"),
        (header(promise("'<M8[zz]'"), bytes(8)), "does not exist"),
        (header(promise(shape="(999999999999,)"), bytes(8)), "another amount of data"),
        (header(promise(shape="(4294967296, 4294967296)")), "another amount"),
        (header(promise(shape="(2,)"), bytes(8)), "another amount of data"),
        (header(promise(shape="()"), bytes(16)), "another amount of data"),
        (header(promise(shape="(-1,)"), bytes(8)), "is not understood"),
        (header(promise(shape="(1,)*9"), bytes(8)), "is not understood"),
        (header("__import__('os').getcwd()", bytes(8)), "is not understood"),
        (header("{" * 9000, bytes(8)), "is not understood"),
        (header(promise(), bytes(8), (2, 0)), "not an NPY 1.0 array"),
        (header(promise("'|b1'"), b"\x02"), "bytes that are no bool"),
        (header(promise("'<U1'"), b"\xff\xff\xff\x7f"), "bytes that are no str"),
        (header(promise(shape=f"({'1, ' * 99})"), bytes(8)), "damaged"),
        (b"\x93NUMPY\x01\x00", "not an NPY 1.0 array"),
        (b"", "not an NPY 1.0 array"),
    ],
    ids=numbered,
)
def test_an_array_that_lies_is_refused_before_it_is_believed(
    data, words, forge, scaler_tree
):
    refused(forge(scaler_tree(ARRAY), {"array-0000.npy": data}), words)


@pytest.mark.parametrize(
    "node, words",
    [
        ({"kind": "eval", "code": "1"}, "unknown kind 'eval'"),
        ({"kind": ["tuple"], "items": []}, "unknown kind"),
        ({"no": "kind"}, "unknown kind"),
        ({"kind": "tuple"}, "'tuple' in it is misshapen"),
        ({"kind": "tuple", "items": [], "more": 1}, "misshapen"),
        ({"kind": "tuple", "items": "ab"}, "misshapen"),
        ({"kind": "slice", "items": [1]}, "1 parts and not 3"),
        ({"kind": "dict", "items": [1]}, "no pair"),
        ({"kind": "dict", "items": [[1, 2, 3]]}, "3 parts and not 2"),
        ({"kind": "dict", "items": [[[], 2]]}, "cannot be looked up"),
        ({"kind": "dict", "items": [[1, 2], [1, 3]]}, "a key twice"),
        ({"kind": "set", "items": [[]]}, "cannot be looked up"),
        ({"kind": "float", "value": "1e5"}, "not understood"),
        ({"kind": "complex", "items": ["a", 1.0]}, "no numbers"),
        ({"kind": "bytes", "hex": "xyz"}, "not hexadecimal"),
        ({"kind": "scalar", "dtype": "|O", "value": 1}, "not admitted"),
        (
            {"kind": "scalar", "dtype": "<i4", "value": "a"},
            "a scalar in it is no int32",
        ),
        ({"kind": "scalar", "dtype": "|u1", "value": 300}, "is no uint8"),
        ({"kind": "scalar", "dtype": "<f8", "value": [1.0]}, "is no float64"),
        ({"kind": "dtype", "name": "f8,O"}, "not admitted"),
        ({"kind": "type", "name": "os.system"}, "the type 'os.system' is not admitted"),
        ({"kind": "array", "member": "../array"}, "unlikely name '../array'"),
        ({"kind": "array", "member": "array-0007.npy"}, "is missing"),
        ({"kind": "objects", "shape": [2], "items": [1]}, "wrong shape"),
        ({"kind": "objects", "shape": [-1, -1], "items": [1]}, "not made of sizes"),
        ({"kind": "objects", "shape": [True], "items": [1]}, "not made of sizes"),
        ({"kind": "objects", "shape": [1] * 99, "items": [1]}, "damaged"),
        ({"kind": "again", "number": 0}, "object 0 that does not precede it"),
        ({"kind": "again", "number": True}, "misshapen"),
    ],
)
def test_a_value_that_save_never_writes_is_refused(node, words, forge, scaler_tree):
    refused(forge(scaler_tree(node)), words)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "os.system",
            "subprocess.Popen",
            "builtins.eval",
            "sklearn.base.BaseEstimator",
        ),
        *("sklearn.preprocessing.os", "sklearn.svm.SVC", "infimum.losses._loss.Loss"),
        *("infimum.losses.Loss", "infimum.persistence.load", "", "."),
    ],
)
def test_a_class_that_is_not_admitted_is_refused(name, forge, scaler_tree):
    node = {"kind": "object", "class": name, "number": 1, "state": {}}
    refused(forge(scaler_tree(node)), "a class that is not admitted")
    refused(forge(node), "a class that is not admitted")


def test_a_file_cannot_make_python_import_a_module(forge, tmp_path, monkeypatch):
    (tmp_path / "trap.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    node = {"kind": "object", "class": "trap.Model", "number": 0, "state": {}}
    refused(forge(node), "'trap.Model', a class that is not admitted")


@pytest.mark.parametrize(
    "key", ["transform", "fit", "__class__", "__dict__", "a b", "", "set_fit_request"]
)
def test_an_attribute_cannot_replace_a_method(key, forge, scaler_tree):
    refused(forge(scaler_tree(None, **{key: 1})), "cannot have an attribute")


def part(name, **state):
    return {"kind": "object", "class": name, "number": 1, "state": state}


@pytest.mark.parametrize(
    "node, words",
    [
        (part("infimum.losses.Huber", delta=-1.0), r"Huber\.delta must be"),
        (part("infimum.losses.Huber", delta="x"), r"Huber\.delta must be"),
        (part("infimum.losses.Huber", value=1), "has no field 'value'"),
        (part("infimum.certificates.Certificate", dual=1.0), "lacks its 'primal'"),
        (part("sklearn.pipeline.Pipeline"), "lacks its 'steps'"),
        (part("sklearn.pipeline.Pipeline", steps=[], memory="/tmp"), "must be None"),
        (part("sklearn.preprocessing.FunctionTransformer", func=1), "must be None"),
    ],
)
def test_an_object_in_an_impossible_state_is_refused(node, words, forge, scaler_tree):
    refused(forge(scaler_tree(node)), words)


def test_what_a_class_has_gained_since_takes_its_default(forge, scaler_tree):
    loaded = infimum.load(forge(scaler_tree(None, note=part("infimum.losses.Huber"))))
    assert loaded.note.delta == 1.0


@pytest.mark.parametrize(
    "form, indices, indptr",
    [
        ("csr_matrix", [0, 9], [0, 1, 2]),
        ("csr_matrix", [0, -1], [0, 1, 2]),
        ("csc_array", [0, 1], [0, 9, 2]),
        ("csr_matrix", [0, 1], [0, 1]),
        ("csr_matrix", [0, 1], [0, 2**31 - 1, 0]),
        ("csr_array", [0, 1], [0, -(2**31), 0]),
        ("coo_matrix", [0, 9], [0, 1]),
        ("coo_array", [0, -3], [0, 1]),
        ("dok_matrix", [0, 1], [0, 1, 2]),
    ],
)
def test_a_sparse_matrix_whose_indices_lead_out_of_it_is_refused(
    form, indices, indptr, forge, scaler_tree
):
    arrays = [np.ones(2), np.array(indices, "i4"), np.array(indptr, "i4")]
    members = {f"array-{i:04d}.npy": npy(array) for i, array in enumerate(arrays)}
    parts = [{"kind": "array", "member": name} for name in members]
    node = {"kind": "sparse", "class": form, "shape": [2, 2], "parts": parts}
    refused(forge(scaler_tree(node), members), "lead out of it|not admitted")


@pytest.mark.parametrize("depth", [99, 900, 100_000])
@pytest.mark.parametrize(
    "opening, closing",
    ["[]", ('{"kind":"tuple","items":[', "]}")],
    ids=["lists", "tuples"],
)
def test_json_nested_without_end_is_refused(
    depth, opening, closing, forge, scaler_tree
):
    text = json.dumps(scaler_tree("HERE"))
    nest = opening * depth + closing * depth
    path = forge(text.replace('"HERE"', nest).encode(), manifest={"class": "x"})
    refused(path, "nested")


@pytest.mark.parametrize(
    "text, words",
    [
        (b"[]", "not a JSON object"),
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b'{"a": NaN}', "the bare word 'NaN'"),
        (b'{"a": 1, "a": 2}', "two entries of one name"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not JSON"),
        (b'{"kind": "tuple", "items": []}', "not of the class in its manifest"),
    ],
    ids=numbered,
)
def test_json_that_save_never_writes_is_refused(text, words, forge):
    refused(forge(text, manifest={"class": "x"}), words)


@pytest.mark.parametrize(
    "name", ["../x", "a/b", "/etc/passwd", "..", "C:\\x", "C:x", "a\\b", "model.json/"]
)
def test_a_path_in_the_name_of_a_member_is_refused(name, forge, scaler_tree):
    refused(forge(scaler_tree(None), more=[(name, b"x")]), "has a path in its name")
    listed = forge(scaler_tree(None), {name: b"x"})
    refused(listed, "has a path in its name")


def test_a_listed_member_that_the_model_does_not_use_is_refused(forge, scaler_tree):
    idle = npy(np.ones(1))
    path = forge(scaler_tree(None), {"array-0000.npy": idle})
    refused(path, "'array-0000.npy' is not part of the model")
    path = forge(scaler_tree(None), {"array.npy": idle})
    refused(path, "'array.npy' does not belong there")


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_a_zip_bomb_is_refused_before_it_unpacks(method, forge, scaler_tree):
    zeros = npy(np.zeros(1_000_000))
    path = forge(scaler_tree(ARRAY), {"array-0000.npy": zeros}, method=method)
    assert path.stat().st_size < zeros.__sizeof__() / 100
    refused(path, "is compressed, which model files never are")


@pytest.mark.parametrize(
    "entries, words",
    [
        ({"schema": 2}, "schema version '2' is newer than 1.*upgrade Infimum"),
        ({"schema": 0}, "schema version '0' does not exist"),
        ({"schema": "1"}, "does not exist"),
        ({"schema": True}, "does not exist"),
        ({"format": "other"}, "not that of an Infimum model"),
        ({"more": 1}, "entries too many or too few"),
        ({"class": "sklearn.pipeline.Pipeline"}, "not of the class in its manifest"),
        ({"class": None}, "names no class"),
        ({"versions": {"python": "3"}}, "does not give the versions"),
        ({"members": []}, "lists no members"),
        ({"members": {}}, "model.json is missing"),
        ({"members": {"model.json": {"bytes": 1}}}, "does not describe 'model.json'"),
        ({"members": {"model.json": {"bytes": 1, "sha256": "f"}}}, "no hash of"),
        ({"members": {"model.json": {"bytes": 1, "sha256": "f" * 64}}}, "size of its"),
    ],
    ids=str,
)
def test_a_manifest_that_save_never_writes_is_refused(
    entries, words, forge, scaler_tree
):
    refused(forge(scaler_tree(None), manifest=entries), words)


def test_extra_values_can_only_be_plain(forge, scaler_tree):
    for extra, words in [(ARRAY, "refer to an array"), ([], "are no dict")]:
        path = forge(scaler_tree(None), manifest={"extra": extra})
        with pytest.raises(ModelFileError, match=words):
            infimum.persistence.read_extra(path)
