#!/usr/bin/env bash
# systemd's own check of the service files. usage: units_test.sh FOLDER_OF_UNITS VQAS SCRATCH
set -euo pipefail
units=$1 vqas=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
for unit in vqas-node vqas-campaign; do
  # An instance; the command is not installed while it is tested.
  sed "s|^ExecStart=[^ ]*|ExecStart=$vqas|" "$units/$unit@.service" > "$scratch/$unit@test.service"
done
told=$(SYSTEMD_LOG_LEVEL=warning systemd-analyze verify --man=no --recursive-errors=no "$scratch"/*.service 2>&1) || {
  echo "$told"
  exit 1
}
if [ -n "$told" ]; then
  echo "systemd warns: $told"
  exit 1
fi
# 0 is fully confined, 10 is not at all.
systemd-analyze security --offline=true --threshold=30 "$scratch"/*.service | tail -n 2
