#!/usr/bin/env bash
# The house rules that a compiler does not know. usage: check.sh SOURCE_DIR
set -uo pipefail
cd "$1" || exit 2
faults=0
fault() { echo "house: $*" >&2; faults=$((faults + 1)); }

# Each room with the rooms that it may include, itself included.
declare -A may=(
  [signal]="signal"
  [score]="signal score"
  [sync]="signal sync"
  [channel]="signal channel"
  [sampling]="signal sampling"
  [corpus]="signal corpus"
  [line]="signal score sync channel sampling corpus line"
  [node]="signal score sync channel sampling corpus line node"
  [store]="signal score sync channel sampling corpus line node store"
  [report]="signal score sync channel sampling corpus line node store report"
  [experiment]="signal score sync channel sampling corpus line node store report experiment"
  [relay]="signal score sync channel sampling corpus line node store report relay"
)
for room in "${!may[@]}"; do
  while IFS=: read -r file included; do
    case " ${may[$room]} " in
      *" $included "*) ;;
      *) fault "$file includes from the room $included" ;;
    esac
  done < <(grep -RHoE '#include "(vqas/)?[a-z_]+/' "libvqas/src/$room" "libvqas/include/vqas/$room" 2>/dev/null |
    sed -E 's/#include "(vqas\/)?([a-z_]+)\//\2/')
done

for room in signal score sync channel sampling corpus; do
  while read -r file; do fault "$file includes Qt, PortAudio or sockets"; done < <(
    grep -RlE '#include *[<"](Q[A-Z]|portaudio|sys/socket|netinet|asio|boost/asio)' \
      "libvqas/src/$room" "libvqas/include/vqas/$room" 2>/dev/null)
done
while read -r file; do fault "$file includes Qt Widgets outside app/"; done < <(
  grep -RlE '#include *<(QWidget|QMainWindow|QApplication|QPushButton|QDialog)' libvqas tools 2>/dev/null)

while read -r lines file; do
  [ "$file" != total ] && [ "$lines" -gt 600 ] && fault "$file has $lines lines"
done < <(find libvqas app tools tests \( -name '*.cpp' -o -name '*.h' -o -name '*.py' \) -exec wc -l {} +)

# What reads a file opens it as InputFile does: a pipe or a device hangs everything else, or fills memory. Recordings are
# libsndfile's, which the signal room opens; TOML has one way to its parser, which bounds its depth.
while IFS=: read -r file found; do
  case "$file $found" in
    "libvqas/src/channel/parse_toml.cpp toml::parse("*) ;;
    libvqas/src/signal/*" sf_open("*) ;;
    "libvqas/src/line/file_line.cpp sf_open("*) ;; # writes
    "tools/bench/relay_bench.cpp std::ifstream"*) ;; # the kernel's own file, in a bench
    *) fault "$file reads by $found; use InputFile, read_whole_file(), read_audio() or parse_toml()" ;;
  esac
done < <(grep -RoE 'std::(basic_)?i?fstream\b|QFile\b|\bfopen\(|\bsf_open\(|toml::parse(_file)?\(' \
  libvqas app tools --include='*.cpp' --include='*.h' 2>/dev/null)

while read -r file; do fault "$file holds work left for later"; done < <(
  grep -RlE 'TO''DO|FIX''ME|not imple''mented' libvqas app tools tests --include='*.cpp' --include='*.h' --include='*.py' 2>/dev/null)

[ "$faults" -eq 0 ] && echo "house: ${#may[@]} rooms, no faults"
exit $((faults > 0))
