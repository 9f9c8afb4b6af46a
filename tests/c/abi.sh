#!/usr/bin/env bash
# Compares the binary interface of libvqas with the committed baseline.
# usage: abi.sh LIBRARY SOURCE_DIR [--update]
# The compiler holds the library's functions against vqas.h, so the interface is that of vqas.h and the list of exported
# symbols. A library that is made of vqas.h alone is described: the types within handles are no part of the interface, and
# the description is the same for every compiler. Without abidw and abidiff (Debian: abigail-tools) the test is skipped.
set -euo pipefail
library=$1 source_dir=$2
baseline=$source_dir/tests/c/libvqas.abi
if ! command -v abidw >/dev/null || ! command -v abidiff >/dev/null; then
  echo "skipped: abidw and abidiff are not installed (Debian: abigail-tools)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Each declaration becomes a function without a content.
cc -std=c11 -E -P -DVQAS_API=VQAS_DECLARATION -x c - <<<"#include \"$source_dir/libvqas/include/vqas/vqas.h\"" |
  tr '\n' ' ' | sed 's/VQAS_DECLARATION/\n&/g' >declarations
{
  echo "#include \"$source_dir/libvqas/include/vqas/vqas.h\""
  sed -nE 's/^VQAS_DECLARATION *([^;]*);.*/\1 { __builtin_trap(); }/p' declarations
} >interface.c
soname=$(objdump -p "$library" | awk '$1 == "SONAME" { print $2 }')
cc -std=c11 -g -shared -fPIC -w -Wl,-soname,"$soname" -o "$soname" interface.c
exports() { nm -D --defined-only "$1" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort; }
diff <(exports "$soname") <(exports "$library") >missing ||
  { echo "vqas.h declares (<) what the library does not export, or the reverse (>):" >&2; cat missing >&2; exit 1; }

abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --no-architecture "$soname" >now.abi
if [ "${3:-}" = --update ]; then
  cp now.abi "$baseline"
  exit 0
fi
status=0
abidiff --no-show-locs "$baseline" now.abi || status=$?
[ "$status" -eq 0 ] && { echo "the binary interface of $(exports "$library" | wc -l) functions is that of $(basename "$baseline")"; exit 0; }
if [ $((status & 8)) -ne 0 ]; then
  echo "This change breaks programs that use the library: give libvqas a new SOVERSION first." >&2
fi
echo "Update the baseline with the change: tests/c/abi.sh libvqas.so . --update" >&2
exit 1
