"""The build backend: scikit-build-core, with the sources of VQAS in the source distribution.

In the repository these sources lie above this project, where a source distribution cannot reach. So it is made from a
copy of this folder that holds them as `vqas-source`. Wheels are built where the files are."""
import os
import shutil
import tempfile
from pathlib import Path

from scikit_build_core.build import (  # noqa: F401: the hooks that need nothing more
    build_editable, build_wheel, get_requires_for_build_editable, get_requires_for_build_sdist,
    get_requires_for_build_wheel, prepare_metadata_for_build_editable, prepare_metadata_for_build_wheel)
from scikit_build_core.build import build_sdist as _build_sdist

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
# What the wheel is built of; the other rooms need Qt and are left out by the build.
SOURCES = ("CMakeLists.txt", "LICENSE", "corpus", "libvqas/CMakeLists.txt", "libvqas/cmake", "libvqas/include",
           "libvqas/src", "tools/vqas/score")


def build_sdist(sdist_directory, config_settings=None):
    if (HERE / "vqas-source").exists():  # this is an unpacked source distribution
        return _build_sdist(sdist_directory, config_settings)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "vqas"
        shutil.copytree(HERE, copy, ignore=shutil.ignore_patterns("build", "dist", "__pycache__"))
        for name in SOURCES:
            to = copy / "vqas-source" / name
            to.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, to)
        before = Path.cwd()
        os.chdir(copy)
        try:
            return _build_sdist(str(before / sdist_directory), config_settings)
        finally:
            os.chdir(before)
