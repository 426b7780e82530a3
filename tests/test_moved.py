"""What moved is found under its old name, and is the same thing there."""

import importlib
import pickle
import sys
from pathlib import Path

import pytest

import infimum
from infimum.models.leading_eigenpairs import leading_eigenpairs
from infimum.moved import MODULES, RENAMED, SHELVED, SHELVES, current_name
from infimum.study import convexity, solvers


@pytest.mark.parametrize("old", MODULES)
def test_a_module_is_imported_by_its_old_path_without_a_second_copy(old):
    module = importlib.import_module(old)
    assert module is importlib.import_module(MODULES[old])
    assert module.__spec__.name == module.__name__ == MODULES[old]
    assert sys.modules[old] is module


@pytest.mark.parametrize("room", SHELVED)
def test_a_file_on_a_shelf_is_imported_by_the_path_without_the_shelf(room):
    folder = Path(importlib.import_module(room).__file__).parent
    shelved = [file for file in folder.glob("*/*.py") if file.stem != "__init__"]
    names = [file.stem for file in shelved]
    assert len(names) == len({*names, *(file.stem for file in folder.glob("*.py"))}) - (
        len(list(folder.glob("*.py")))
    )
    for file in shelved:
        module = importlib.import_module(f"{room}.{file.stem}")
        assert module.__name__ == module.__spec__.name
        assert module.__name__ == f"{room}.{file.parent.name}.{file.stem}"
        assert module is sys.modules[module.__name__]
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(f"{room}.no_such_file")


@pytest.mark.parametrize("room", SHELVES)
def test_a_room_answers_for_what_left_it(room):
    old = importlib.import_module(room)
    new = importlib.import_module(SHELVES[room].room)
    left = SHELVES[room].names.split()
    assert set(left) <= set(new.__all__)
    for name in left:
        assert getattr(old, name) is getattr(new, name)
        assert name not in old.__all__
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = old.Nothing


def test_what_another_room_offers_has_a_name_of_its_own_in_the_study():
    public = importlib.import_module("infimum.solvers").__all__
    for old, new in RENAMED.items():
        assert getattr(convexity, old) is getattr(convexity, new)
        assert old not in convexity.__all__
        assert old in public or old in solvers.__all__
        assert new not in public


def test_inner_modules_and_pickles_of_old_paths_find_the_classes_of_today():
    from infimum.convexity.sets.box import Box

    assert Box is convexity.Box
    assert importlib.import_module("infimum.matrices").leading_eigenpairs is (
        leading_eigenpairs
    )
    text = pickle.dumps(solvers.Pegasos(), protocol=0)
    old = text.replace(b"infimum.study.solvers.pegasos", b"infimum.solvers.pegasos")
    assert old != text
    assert pickle.loads(old) == solvers.Pegasos()


def test_only_moved_names_get_another_name():
    assert current_name("infimum.solvers.Newton") == "infimum.solvers.Newton"
    assert current_name("sklearn.pipeline.Pipeline") == "sklearn.pipeline.Pipeline"
    assert current_name("infimum.solvers.trace") == "infimum.study.solvers.trace"
    assert infimum.__name__ == current_name("infimum")
