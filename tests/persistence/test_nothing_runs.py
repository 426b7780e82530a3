"""No code comes out of a file: the room has no way to run any."""

import ast
import pickle
from pathlib import Path

import numpy as np
import pytest
from sklearn.preprocessing import OneHotEncoder

import infimum
from infimum.errors import ModelFileError

ROOM = Path(infimum.__file__).parent / "persistence"
FILES = sorted(ROOM.glob("*.py"))
every_file = pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)

CODE_LOADERS = {"pickle", "cloudpickle", "dill", "joblib", "marshal", "shelve", "runpy"}
RUNNERS = {"eval", "exec", "compile", "__import__", "literal_eval", "system", "Popen"}


@every_file
def test_no_file_of_the_room_imports_or_calls_what_runs_code(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not {alias.name.partition(".")[0] for alias in node.names} & (
                CODE_LOADERS
            )
        if isinstance(node, ast.ImportFrom):
            assert (node.module or "").partition(".")[0] not in CODE_LOADERS
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            owner = getattr(getattr(node.func, "value", None), "id", "")
            assert called not in RUNNERS or owner == "re", (called, node.lineno)


@every_file
def test_numpy_is_never_allowed_to_unpickle(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            allowed = {word.arg: word.value for word in node.keywords}
            if called.startswith("np.lib.format.") and called.endswith("_array"):
                assert ast.unparse(allowed["allow_pickle"]) == "False"
            assert called not in ("np.load", "np.save", "np.savez")


def test_a_round_trip_works_where_pickle_does_not_exist(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise AssertionError("pickle was called")

    for name in ("load", "loads", "dump", "dumps", "Pickler", "Unpickler"):
        monkeypatch.setattr(pickle, name, fail)
    data = np.array([["a"], ["b"], [None]], dtype=object)
    infimum.save(OneHotEncoder().fit(data), tmp_path / "m.infimum")
    loaded = infimum.load(tmp_path / "m.infimum")
    assert loaded.transform(data).toarray().tolist() == np.eye(3).tolist()


def test_no_method_of_a_class_runs_while_it_is_loaded(tmp_path, monkeypatch):
    data = np.array([["a"], ["b"]], dtype=object)
    encoder = OneHotEncoder().fit(data)
    infimum.save(encoder, tmp_path / "m.infimum")

    def fail(*_, **__):
        raise AssertionError("code of the class ran")

    for name in ("__init__", "__setstate__", "__setattr__", "set_params"):
        monkeypatch.setattr(OneHotEncoder, name, fail, raising=False)
    infimum.load(tmp_path / "m.infimum")
    with pytest.raises(AssertionError, match="code of the class ran"):
        OneHotEncoder()


@pytest.mark.parametrize("protocol", [0, 2, 5])
def test_a_pickle_given_as_a_model_file_is_refused_and_not_run(protocol, tmp_path):
    class Trap:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "sprung",))

    path = tmp_path / "model.infimum"
    path.write_bytes(pickle.dumps(Trap(), protocol))
    with pytest.raises(ModelFileError, match="it is not a ZIP archive"):
        infimum.load(path)
    assert not (tmp_path / "sprung").exists()
