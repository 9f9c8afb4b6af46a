#!/usr/bin/env bash
# Builds a stranger's project against VQAS, installed and as a subdirectory, and looks at what it links.
# usage: run.sh SOURCE_DIR BUILD_DIR WORK_DIR
set -euo pipefail
source_dir=$1 build_dir=$2 work=$3
rm -rf "$work" && mkdir -p "$work"

cmake --install "$build_dir" --prefix "$work/prefix" >"$work/install.log"

check() {  # NAME CMAKE_ARGUMENTS…
  local name=$1 mos
  shift
  cmake -S "$source_dir/tests/consumer" -B "$work/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)" "$@" >"$work/$name.log"
  cmake --build "$work/$name" --target consumer >>"$work/$name.log" || { cat "$work/$name.log"; exit 1; }
  ldd "$work/$name/consumer" >"$work/$name.ldd"
  if grep -iE 'Qt6|portaudio|jack|websockets' "$work/$name.ldd"; then
    echo "consumer ($name) links more than the core needs" >&2
    exit 1
  fi
  mos=$("$work/$name/consumer" "$source_dir/corpus/8k/M1.wav" "$source_dir/corpus/8k/M1.wav")
  [ "$mos" = 4.5500 ] || { echo "consumer ($name): identity scored $mos, not 4.5500" >&2; exit 1; }
  echo "consumer ($name): identity scored $mos; it links $(wc -l <"$work/$name.ldd") libraries, none of Qt or PortAudio"
}
refuse() {  # WORDS CMAKE_ARGUMENTS…
  local words=$1
  shift
  if cmake -S "$source_dir/tests/consumer" -B "$work/refused" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" "$@" \
      >"$work/refused.log" 2>&1; then
    echo "a consumer with $* was not refused" >&2
    exit 1
  fi
  # CMake breaks its lines.
  tr -s ' \n' ' ' <"$work/refused.log" | grep -qF "$words" || { cat "$work/refused.log" >&2; exit 1; }
}

# Where these are missing, the score is usable all the same.
absent=()
for package in Boost Eigen3 OpenSSL nlohmann_json Threads Qt6; do absent+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"); done
check installed-score -DCMAKE_PREFIX_PATH="$work/prefix" -DVQAS_COMPONENTS=score "${absent[@]}"
if grep -E 'libcrypto' "$work/installed-score.ldd"; then
  echo "consumer (installed-score) links more than the score needs" >&2
  exit 1
fi
refuse "vqas has no component scores; its components are c, score, core and node." -DVQAS_COMPONENTS=scores
for file in LICENSE score.md calibration.md images/why.png; do
  [ -s "$work/prefix/share/doc/vqas/$file" ] || { echo "the installation lacks share/doc/vqas/$file" >&2; exit 1; }
done
check installed -DCMAKE_PREFIX_PATH="$work/prefix"
check installed-batch -DCMAKE_PREFIX_PATH="$work/prefix" -DVQAS_COMPONENTS=node
check subdirectory -DVQAS_SUBDIRECTORY="$source_dir"
