#!/usr/bin/env bash
# Installs the C interface alone, builds the program of integration-c.md against it by CMake and by pkg-config, and runs it.
# usage: run.sh SOURCE_DIR BUILD_DIR WORK_DIR
set -euo pipefail
source_dir=$1 build_dir=$2 work=$3
rm -rf "$work" && mkdir -p "$work"
fail() { echo "C consumer: $*" >&2; exit 1; }

for component in libvqas0 vqas_c; do
  cmake --install "$build_dir" --component "$component" --prefix "$work/prefix" >>"$work/install.log"
done
installed=$(cd "$work/prefix" && find . -type f -o -type l | sort)
library=$(find "$work/prefix" -name 'libvqas.so' -print -quit)
[ -n "$library" ] || fail "libvqas.so is not among the installed files: $installed"
soname=$(objdump -p "$library" | awk '$1 == "SONAME" { print $2 }')
[ "$soname" = libvqas.so.0 ] || fail "the SONAME is $soname"
others=$(nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | grep -v '^vqas_[a-z0-9_]*@@VQAS_0$' || true)
[ -z "$others" ] || fail "libvqas.so shows other symbols: $others"

PYTHONDONTWRITEBYTECODE=1 python3 "$source_dir/tests/docs/file_block.py" "$source_dir" libvqas/doc/integration-c.md score.c "$work"
tail -c +45 "$source_dir/corpus/8k/M1.wav" >"$work/m1.raw"
check() {  # NAME PROGRAM
  local said
  said=$(LD_LIBRARY_PATH=$(dirname "$library") "$2" "$work/m1.raw" "$work/m1.raw")
  grep -q '^MOS-LQON 4.5500, .* delay 0.0 ms$' <<<"$said" || fail "$1: identity gave: $said"
  LD_LIBRARY_PATH=$(dirname "$library") "$2" "$work/m1.raw" /dev/null 2>"$work/$1.said" && fail "$1: an empty file has a score"
  grep -q '^bad_input: ' "$work/$1.said" || fail "$1: an empty file is told as: $(cat "$work/$1.said")"
  echo "C consumer ($1): $said"
}

# None of the libraries that libvqas is made of is looked for.
absent=()
for package in PkgConfig fmt Boost Eigen3 OpenSSL nlohmann_json Threads Qt6; do
  absent+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done
cmake -S "$source_dir/tests/c/consumer" -DSOURCE="$work/score.c" -B "$work/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release "${absent[@]}" \
  >"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
cmake --build "$work/cmake" >>"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
check cmake "$work/cmake/consumer"

export PKG_CONFIG_PATH=$(dirname "$library")/pkgconfig
flags=$(pkg-config --cflags --libs vqas)
# shellcheck disable=SC2086
cc -std=c11 -pedantic -Wall -Wextra -Werror -o "$work/by-pkg-config" "$work/score.c" $flags
check pkg-config "$work/by-pkg-config"
