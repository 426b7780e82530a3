"""A save succeeds wholly or leaves everything as it was."""

import os
import stat
import zipfile

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import infimum
from infimum.errors import ModelFileError


def other():
    return StandardScaler().fit(np.ones((2, 1)))


@pytest.mark.parametrize(
    "owner, step",
    [
        ("os.fsync", "the disk is full"),
        ("pathlib.Path.replace", "the name is taken"),
        ("zipfile.ZipFile.writestr", "the disk is gone"),
    ],
)
def test_a_save_that_fails_leaves_the_old_file_and_nothing_else(
    owner, step, valid, monkeypatch
):
    before = valid.read_bytes()

    def fail(*_, **__):
        raise OSError(28, step)

    monkeypatch.setattr(owner, fail)
    with pytest.raises(ModelFileError, match=f"cannot be written: {step}\\.$"):
        infimum.save(other(), valid)
    assert valid.read_bytes() == before
    assert list(valid.parent.iterdir()) == [valid]


def test_an_interrupted_save_leaves_the_old_file_and_nothing_else(valid, monkeypatch):
    before = valid.read_bytes()

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        infimum.save(other(), valid)
    assert valid.read_bytes() == before
    assert list(valid.parent.iterdir()) == [valid]


def test_a_model_that_cannot_be_kept_leaves_the_old_file(valid):
    before = valid.read_bytes()
    with pytest.raises(ModelFileError, match="func holds"):
        infimum.save(make_pipeline(FunctionTransformer(abs)), valid)
    assert valid.read_bytes() == before
    assert list(valid.parent.iterdir()) == [valid]


def test_the_data_are_on_disk_before_the_name_is(valid, monkeypatch):
    steps = []
    sync, replace = os.fsync, type(valid).replace
    monkeypatch.setattr("os.fsync", lambda fd: (steps.append("sync"), sync(fd)))
    monkeypatch.setattr(
        "pathlib.Path.replace", lambda a, b: (steps.append("move"), replace(a, b))
    )
    infimum.save(other(), valid)
    assert steps == ["sync", "move", "sync"]


def test_a_new_model_takes_the_place_of_the_old(valid):
    infimum.save(other(), valid)
    assert infimum.load(valid).n_features_in_ == 1
    assert list(valid.parent.iterdir()) == [valid]


def test_the_file_can_be_read_by_whom_the_mask_allows(tmp_path):
    mask = os.umask(0o027)
    try:
        infimum.save(other(), tmp_path / "m.infimum")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "m.infimum").stat().st_mode) == 0o640


def test_a_link_still_points_to_the_file_afterwards(valid):
    link = valid.with_name("latest.infimum")
    link.symlink_to(valid)
    infimum.save(other(), link)
    assert link.is_symlink()
    assert infimum.load(valid).n_features_in_ == 1


def test_a_missing_folder_is_one_sentence(tmp_path):
    with pytest.raises(
        ModelFileError, match=r"no folder .*nowhere; create it first\.$"
    ):
        infimum.save(other(), tmp_path / "nowhere" / "m.infimum")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_place_of_the_file_is_one_sentence(tmp_path):
    (tmp_path / "m.infimum").mkdir()
    with pytest.raises(ModelFileError, match="it is a folder; give the name of a file"):
        infimum.save(other(), tmp_path / "m.infimum")
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.infimum"]


def test_any_zip_program_can_open_the_file(valid):
    with zipfile.ZipFile(valid) as archive:
        assert archive.testzip() is None
        assert {info.compress_type for info in archive.infolist()} == {0}
        assert {info.date_time[0] for info in archive.infolist()} == {1980}
        with archive.open("array-0000.npy") as member:
            mean = np.lib.format.read_array(member, allow_pickle=False)
    assert mean.tolist() == [3.0, 8.0 / 3.0]
