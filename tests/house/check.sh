#!/usr/bin/env bash
# The house rules that a compiler does not know. usage: check.sh SOURCE_DIR
set -uo pipefail
cd "$1" || exit 2
faults=0
fault() { echo "house: $*" >&2; faults=$((faults + 1)); }

# Each room with the rooms that it may include, itself included. README's diagram says the same.
core="signal score sync channel sampling corpus"
declare -A may=(
  [signal]="signal"
  [score]="signal score"
  [sync]="signal sync"
  [channel]="signal channel"
  [sampling]="signal sampling"
  [corpus]="signal corpus"
  [line]="signal sync channel line"
  [run]="$core run"
  [batch]="signal score run batch"
  [receive]="$core line run receive"
  [node]="$core line run receive node"
  [store]="$core run store"
  [report]="$core run store report"
  [trend]="$core run store report trend"
  [experiment]="$core run receive store report experiment"
  [relay]="$core line run node relay"
  [campaign]="$core line run receive node store report campaign"
  [calls]="$core line run receive node store report campaign calls"
)

# What a folder includes of other rooms, one a line.
rooms_included_by() {
  grep -RhoE '#include "(vqas/)?[a-z_]+/' "$@" --include='*.cpp' --include='*.h' 2>/dev/null |
    sed -E 's/#include "(vqas\/)?([a-z_]+)\//\2/' | sort -u
}
for room in "${!may[@]}"; do
  folders=("libvqas/src/$room")
  [ -d "libvqas/include/vqas/$room" ] && folders+=("libvqas/include/vqas/$room")
  included=$(rooms_included_by "${folders[@]}")
  for other in $included; do
    case " ${may[$room]} " in
      *" $other "*) ;;
      *) fault "$room includes from the room $other: $(grep -RlE "#include \"(vqas/)?$other/" "${folders[@]}" | tr '\n' ' ')" ;;
    esac
  done
  # The linker refuses what the house forbids only where a room links what it includes and nothing else.
  linked=$(sed -nE 's/^ *ROOMS (.*[^)])\)?$/\1/p' "libvqas/src/$room/CMakeLists.txt" | tr ' ' '\n' | sort)
  [ "$linked" = "$(grep -vx "$room" <<<"$included")" ] ||
    fault "libvqas/src/$room/CMakeLists.txt links the rooms: $(echo $linked); it includes: $(grep -vx "$room" <<<"$included" | tr '\n' ' ')"
done
[ "$(find libvqas/src -mindepth 1 -maxdepth 1 -type d | wc -l)" -eq ${#may[@]} ] || fault "libvqas/src holds a folder that is no room"

# README's diagram: a room includes only what leads to it there, and every arrow is an include.
declare -A leads=()  # "a b": an arrow from a to b
while read -r from to; do leads["$from $to"]=1; done < <(
  awk '/^flowchart/ { inside = 1; next } /^```/ { inside = 0 }
    inside { gsub(/&/, " "); n = split($0, part, "-->")
      for (i = 1; i < n; ++i) { f = split(part[i], from, " "); t = split(part[i + 1], to, " ")
        for (j = 1; j <= f; ++j) for (k = 1; k <= t; ++k) print from[j], to[k] } }' README.md)
below() {  # the rooms that lead to $1, itself among them
  local known=" $1 " before= edge
  while [ "$known" != "$before" ]; do
    before=$known
    for edge in "${!leads[@]}"; do
      [[ $known == *" ${edge#* } "* && $known != *" ${edge% *} "* ]] && known+="${edge% *} "
    done
  done
  echo "$known"
}
for room in "${!may[@]}"; do
  known=$(below "$room")
  included=$(rooms_included_by "libvqas/src/$room" "libvqas/include/vqas/$room")
  for other in $included; do
    [[ $known == *" $other "* ]] || fault "README's diagram leads from $other to $room by no way, but $room includes it"
  done
  for edge in "${!leads[@]}"; do
    [ "${edge#* }" != "$room" ] || grep -qx "${edge% *}" <<<"$included" ||
      fault "README's diagram leads from ${edge% *} to $room, which does not include it"
  done
  grep -q "^| \`$room\` |" README.md || fault "README's table has no row for $room"
done

# The command and the window are beside each other above the rooms, and see public headers only.
while read -r file; do fault "$file includes what is not public, or the other program"; done < <(
  grep -RlE "#include \"($(find libvqas/src -mindepth 2 -name '*.h' -printf '%P\n' | sed 's/\./\\./g' | paste -sd'|'))\"" app tools/vqas
  grep -RlE '#include "(tools/|\.\./)' app tools/vqas)

# A folder with more than thirty source files has sub-folders.
while read -r count folder; do
  [ "$count" -gt 30 ] && fault "$folder holds $count source files; give it sub-rooms"
done < <(find libvqas/src app tools -name '*.cpp' -printf '%h\n' | sort | uniq -c)

for room in $core run batch receive; do
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

# JSON has one way to its parser, which bounds its depth.
while read -r file; do fault "$file parses JSON; use parse_json_text() or own_json() (vqas/signal/json_text.h)"; done < <(
  grep -RlE '[Jj]son::(parse|accept|sax_parse|from_[a-z0-9]+)\(|QJsonDocument::from' libvqas app tools \
    --include='*.cpp' --include='*.h' | grep -vx libvqas/src/signal/json_text.cpp)

# Two types of one name are one to the linker, which then mixes their destructors and what templates make of them.
while read -r clash; do fault "$clash"; done < <(
  python3 tests/house/type_names.py . || echo "tests/house/type_names.py found no answer")

# What these draw is each standard library's own affair: a test or a bench that uses them has other numbers elsewhere.
while read -r file; do fault "$file draws by the standard library; use vqas/channel/random.h or tests/support/normal.h"; done < <(
  grep -RlE 'std::((normal|uniform_(int|real)|bernoulli|binomial|poisson|exponential|geometric|discrete)_distribution|(ranges::)?shuffle|sample)\b' \
    libvqas app tools tests --include='*.cpp' --include='*.h' 2>/dev/null)

while read -r file; do fault "$file holds work left for later"; done < <(
  grep -RlE 'TO''DO|FIX''ME|not imple''mented' libvqas app tools tests --include='*.cpp' --include='*.h' --include='*.py' 2>/dev/null)

python3 tools/score-numbers --without-words . >/dev/null ||
  fault "more numbers of the score have no words than before: tools/score-numbers --without-words"

[ "$faults" -eq 0 ] && echo "house: ${#may[@]} rooms, no faults"
exit $((faults > 0))
