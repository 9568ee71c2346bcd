"""The extra `clopt[pocl]`, with a wheel's layout in place of the wheel."""

import os
import sys

import pytest

from clopt import _pocl


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A folder of packages with PoCL's, as its wheel lays it out; no variable of the loader is set."""
    for name in ("pocl_binary_distribution", "pyopencl/.libs"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "pocl_binary_distribution" / "__init__.py").touch()
    (tmp_path / "pyopencl" / ".libs" / "libpocl-1.so").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv("OCL_ICD_VENDORS", raising=False)
    monkeypatch.delenv("OCL_ICD_FILENAMES", raising=False)
    yield tmp_path
    sys.modules.pop("pocl_binary_distribution", None)


def test_the_library_of_the_wheel_is_named(wheel, monkeypatch):
    monkeypatch.setenv("OCL_ICD_VENDORS", "x")  # so that it is put back
    monkeypatch.delenv("OCL_ICD_VENDORS")
    _pocl.offer(wheel / "no vendors")
    assert os.environ["OCL_ICD_VENDORS"] == str(wheel / "pyopencl" / ".libs" / "libpocl-1.so")


@pytest.mark.parametrize("reason", ["driver", "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES"])
def test_what_the_system_has_comes_first(wheel, monkeypatch, reason):
    if reason == "driver":
        (wheel / "own.icd").touch()
    else:
        monkeypatch.setenv(reason, "mine")
    before = dict(os.environ)
    _pocl.offer(wheel)
    assert dict(os.environ) == before


def test_a_wheel_without_the_library_is_none(wheel):
    (wheel / "pyopencl" / ".libs" / "libpocl-1.so").unlink()
    assert _pocl.find() is None
