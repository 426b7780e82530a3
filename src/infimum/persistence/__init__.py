"""Persistence: models as files of JSON and arrays, which cannot run code.

>>> import tempfile, infimum
>>> from sklearn.preprocessing import StandardScaler
>>> scaler = StandardScaler().fit([[0.0], [2.0]])
>>> with tempfile.TemporaryDirectory() as folder:
...     infimum.save(scaler, f"{folder}/scaler.infimum", extra={"unit": "metre"})
...     loaded = infimum.load(f"{folder}/scaler.infimum")
...     note = infimum.persistence.read_extra(f"{folder}/scaler.infimum")
>>> loaded.transform([[3.0]]).item(), note
(2.0, {'unit': 'metre'})
"""

from infimum.persistence.archive import Member
from infimum.persistence.manifest import VersionWarning
from infimum.persistence.model_file import (
    ModelSummary,
    inspect,
    load,
    read_extra,
    save,
)
from infimum.persistence.replacement import replacing

__all__ = [
    "Member",
    "ModelSummary",
    "VersionWarning",
    "inspect",
    "load",
    "read_extra",
    "replacing",
    "save",
]
