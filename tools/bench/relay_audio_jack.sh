#!/bin/sh
# "vqas relay audio" between the devices of a JACK server without hardware, 5 s at 1e-3: prints its last line of counters and
# judges them. Usage: relay_audio_jack.sh VQAS [RATE_HZ PERIOD]
set -eu
vqas=${1:?give the program vqas}
rate=${2:-8000}
period=${3:-160}
export JACK_DEFAULT_SERVER="vqas-bench-$$"
folder=$(mktemp -d)
jackd -n "$JACK_DEFAULT_SERVER" -R -L 2 -d dummy -r "$rate" -p "$period" >"$folder/jackd.txt" 2>&1 &
server=$!
trap 'kill -TERM $server 2>/dev/null || true; wait $server 2>/dev/null || true; rm -rf "$folder"' EXIT
tries=0
until jack_lsp 2>/dev/null | grep -q loopback; do
  tries=$((tries + 1))
  if [ $tries -gt 100 ] || ! kill -0 $server 2>/dev/null; then
    cat "$folder/jackd.txt" >&2
    exit 1
  fi
  sleep 0.1
done
"$vqas" relay audio --in loopback --out system --ber 1e-3 --seed 7 --duration-s 5 --json >"$folder/counters.txt" 2>"$folder/told.txt" || {
  cat "$folder/told.txt" >&2
  exit 1
}
python3 - "$folder/counters.txt" "$rate" <<'PYTHON'
import json
import sys

lines = [json.loads(line) for line in open(sys.argv[1]) if line.startswith("{")]
call = lines[-1]["ended"]["a_to_b"]
counters = call["counters"]
print(json.dumps({"in": call["in"], "out": call["out"], "rate_hz": call["rate_hz"], **counters}, indent=1))
least = 3 * int(sys.argv[2])
faults = []
if counters["heard"] < least or counters["played"] < least:
    faults.append("fewer than 3 s of 5 passed")
if not counters["ber_low_95"] * 0.8 <= 1e-3 <= counters["ber_high_95"] * 1.25:
    faults.append("the errors are not those asked for")
if counters["overflows"]:
    faults.append("samples were lost")
sys.exit("; ".join(faults) or 0)
PYTHON
