"""The extra `clopt[pocl]`: PoCL of a wheel, an OpenCL driver for processors, where the system has no driver."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

__all__ = ["find", "offer"]

_VENDORS = Path("/etc/OpenCL/vendors")
_PACKAGE = "pocl_binary_distribution"


def find() -> str | None:
    """The path of PoCL's library in an installed wheel, or none."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        return None
    # The wheel keeps the library where pyopencl looks for it.
    site = Path(spec.origin).parent.parent
    for folder in (site / "pyopencl" / ".libs", site / _PACKAGE / ".libs"):
        for library in sorted(folder.glob("libpocl*.so*")):
            return str(library)
    return None


def offer(vendors: Path = _VENDORS) -> None:
    """Names the wheel's PoCL to OpenCL's loader, by OCL_ICD_VENDORS of this process, where no other driver is installed
    in `vendors`, and none of the loader's variables is set. The loader reads it when devices are first listed."""
    if "OCL_ICD_VENDORS" in os.environ or "OCL_ICD_FILENAMES" in os.environ:
        return
    if any(vendors.glob("*.icd")):
        return
    library = find()
    if library is not None:
        # The library itself: the wheel's folder has an .icd file with a name that the linker does not find.
        os.environ["OCL_ICD_VENDORS"] = library
