"""A file damaged in any place is refused in one sentence, or still the same model."""

import hashlib
import os
import zipfile

import numpy as np
import pytest
from sklearn.preprocessing import OneHotEncoder

import infimum
from infimum.errors import ModelFileError
from infimum.persistence import inspect, read_extra


def refusal(path, words, **options):
    """Load what must not load; the reason must be one sentence about the file."""
    with pytest.raises(ModelFileError, match=words) as caught:
        infimum.load(path, **options)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert message[-1] in ".?"
    assert "\n" not in message


def state(model):
    return {key: np.asarray(value).tolist() for key, value in vars(model).items()}


def repack(path, change):
    """Rewrite the archive's members after `change`, leaving hashes as they were."""
    with zipfile.ZipFile(path) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
        comment = archive.comment
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in change(members):
            archive.writestr(name, data)
        archive.comment = comment
    return path


def test_a_flipped_bit_anywhere_is_noticed_or_harmless(valid, scaler):
    original, expected = valid.read_bytes(), state(scaler)
    noticed = 0
    for position in range(len(original)):
        damaged = bytearray(original)
        damaged[position] ^= 1 << (position * 5 % 8)
        valid.write_bytes(damaged)
        try:
            loaded = infimum.load(valid)
        except ModelFileError as error:
            assert "\n" not in str(error)  # noqa: PT017
            noticed += 1
        else:
            assert state(loaded) == expected, position
    # Only the names' dates, attributes and version marks in the ZIP are without weight.
    assert noticed > 0.9 * len(original)


def test_a_file_cut_anywhere_is_refused(valid):
    original = valid.read_bytes()
    for length in range(1, len(original), 7):
        valid.write_bytes(original[:length])
        refusal(valid, "cannot be loaded")


def test_a_hole_of_zeros_anywhere_is_noticed_or_harmless(valid, scaler):
    original, expected = valid.read_bytes(), state(scaler)
    for start in range(0, len(original), 61):
        hole = bytes(min(64, len(original) - start))
        valid.write_bytes(original[:start] + hole + original[start + 64 :])
        with pytest.raises(ModelFileError):
            infimum.load(valid)
    valid.write_bytes(original)
    assert state(infimum.load(valid)) == expected


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "it is empty"),
        (b"a,b\n1,2\n", "not a ZIP archive"),
        (b"\x80\x04K\x01.", "not a ZIP archive"),
        (b"PK\x03\x04" + bytes(100), "truncated or damaged"),
        (b"PK\x05\x06" + bytes(18), "not a ZIP archive"),
    ],
    ids=["empty", "csv", "pickle", "head of a zip", "empty zip"],
)
def test_what_is_no_model_file_is_refused(content, words, tmp_path):
    path = tmp_path / "model.infimum"
    path.write_bytes(content)
    refusal(path, words)
    with pytest.raises(ModelFileError, match=words):
        read_extra(path)


def test_a_model_file_behind_other_bytes_is_refused(valid):
    valid.write_bytes(b"#!/bin/sh\n" + valid.read_bytes())
    refusal(valid, "not a ZIP archive")


def test_a_changed_member_is_refused(valid):
    def double_the_mean(members):
        for name, data in members:
            kept = name != "array-0000.npy"
            yield name, data if kept else data[:-8] + np.float64(6.0).tobytes()

    refusal(repack(valid, double_the_mean), "the hash of array-0000.npy does not match")


def test_a_changed_manifest_is_refused(valid):
    def rename(members):
        return [(n, d.replace(b"price", b"prize")) for n, d in members]

    refusal(repack(valid, rename), "the hash of manifest.json does not match")


@pytest.mark.parametrize("name", ["manifest.json", "model.json", "array-0001.npy"])
def test_a_missing_member_is_refused(valid, name):
    change = repack(valid, lambda members: [m for m in members if m[0] != name])
    refusal(change, f"its '?{name}'? is missing")


def test_a_member_too_many_is_refused(valid):
    repack(valid, lambda members: [*members, ("notes.txt", b"hello")])
    refusal(valid, "its member 'notes.txt' does not belong there")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_twice_is_refused(valid):
    repack(valid, lambda members: [*members, members[0]])
    refusal(valid, "two of its members have one name")


def test_a_file_larger_than_allowed_is_refused_before_it_is_read(valid):
    size = valid.stat().st_size
    assert infimum.load(valid, max_bytes=size) is not None
    refusal(valid, f"its {size} bytes exceed max_bytes={size - 1}", max_bytes=size - 1)


def test_a_huge_sparse_file_on_disk_is_refused_at_once(tmp_path):
    path = tmp_path / "huge.infimum"
    with path.open("wb") as handle:
        handle.truncate(3 * 1024**3)
    refusal(path, "exceed max_bytes=2147483648; raise that limit")


def test_a_missing_file_names_the_nearest_one(valid):
    refusal(valid.with_name("scalar.infimum"), r"did you mean scaler\.infimum\?$")
    refusal(valid.with_name("zzz"), r"there is no such file\.$")
    refusal(valid.parent / "nowhere" / "m.infimum", "there is no folder")


def test_a_folder_or_a_pipe_is_refused(tmp_path):
    refusal(tmp_path, "it is a folder")
    os.mkfifo(tmp_path / "pipe")
    refusal(tmp_path / "pipe", "it is not a regular file")
    (tmp_path / "file").write_bytes(b"")
    refusal(tmp_path / "file" / "m.infimum", "there is no folder|cannot be read")


def test_a_disk_that_fails_is_one_sentence(valid, monkeypatch):
    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", denied)
    refusal(valid, r"cannot be read: Permission denied\.$")


def test_inspection_tells_what_is_in_the_file(valid):
    summary = inspect(valid)
    assert summary.schema == 1
    assert summary.model == "sklearn.preprocessing.StandardScaler"
    assert summary.extra == {"target": "price"}
    assert {*summary.versions} == {
        *("python", "infimum", "numpy", "scipy", "scikit-learn")
    }
    with zipfile.ZipFile(valid) as archive:
        for name, member in summary.members.items():
            data = archive.read(name)
            assert member.bytes == len(data)
            assert member.sha256 == hashlib.sha256(data).hexdigest()
        manifest = archive.read("manifest.json")
    assert summary.fingerprint == hashlib.sha256(manifest).hexdigest()
    assert {*summary.members} == {
        "model.json",
        *(f"array-000{i}.npy" for i in range(3)),
    }


def test_the_same_model_gives_the_same_bytes(tmp_path):
    data = np.array([["a", "x"], ["b", "y"], ["a", "y"]], dtype=object)
    first, second = tmp_path / "1.infimum", tmp_path / "2.infimum"
    for path in (first, second):
        infimum.save(OneHotEncoder().fit(data), path, extra={"s": {"b", "a", "c"}})
    assert first.read_bytes() == second.read_bytes()
