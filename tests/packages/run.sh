#!/usr/bin/env bash
# Tests the Debian packages in a clean root: installed from the files alone, used, upgraded, removed. Needs root, mmdebstrap,
# systemd-nspawn and a Debian mirror; takes some ten minutes, so it is run by hand, after tools/package:
#
#   apt install mmdebstrap systemd-container
#   tests/packages/run.sh build/packages
#
# usage: run.sh PACKAGES [ROOT.TAR]     ROOT.TAR keeps the fresh root from one run to the next
set -euo pipefail
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
packages=$(cd "$1" && pwd)
tar=${2:-}
[ "$(id -u)" -eq 0 ] || { echo "run.sh needs root, for the clean root" >&2; exit 77; }
for program in mmdebstrap systemd-nspawn nsenter dpkg-deb; do
  command -v "$program" >/dev/null || { echo "run.sh needs $program; see its first lines" >&2; exit 77; }
done

work=$(mktemp -d /var/tmp/vqas-packages.XXXXXX)
root=$work/root
machine=  # systemd-nspawn of the booted root
leader=   # its first process
group=vqas-packages-$$
stop_machine() {
  [ -z "$leader" ] || kill -s RTMIN+4 "$leader" 2>/dev/null || true  # systemd powers off
  leader=
  [ -z "$machine" ] || wait "$machine" 2>/dev/null || true
  machine=
}
tidy_up() {
  stop_machine
  find /sys/fs/cgroup/{,unified/,systemd/}"$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap tidy_up EXIT
started=$SECONDS
step() { printf '\n== %s (%d s so far)\n' "$1" $((SECONDS - started)); }
fail() { echo "packages: $*" >&2; exit 1; }

step "a clean root"
sources=/etc/apt/sources.list.d/debian.sources
[ -f "$sources" ] || sources=/etc/apt/sources.list
if [ -z "$tar" ] || [ ! -f "$tar" ]; then
  . /etc/os-release
  mmdebstrap --quiet --variant=minbase --include=systemd,systemd-sysv,dbus "$VERSION_CODENAME" "${tar:=$work/root.tar}" "$sources"
fi
mkdir "$root" && tar -xf "$tar" -C "$root"

quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "this failed: $*"; }; }
inside() {  # COMMAND...: in the root, not booted
  systemd-nspawn --quiet --register=no --keep-unit --console=pipe --as-pid2 -D "$root" --bind-ro="$packages:/packages" --bind-ro="$work/next:/next" \
    --bind-ro="$source_dir:/source" -E DEBIAN_FRONTEND=noninteractive -E QT_QPA_PLATFORM=offscreen -E XDG_RUNTIME_DIR=/run -E HOME=/root -E XDG_CONFIG_HOME=/tmp \
    "$@" </dev/null 2> >(grep -v 'Attempted to remove disk file system' >&2)  # a harmless notice of systemd-nspawn itself
}
booted() { nsenter -t "$leader" -m -u -i -n -p -C -- env -i PATH="$PATH" HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@" </dev/null; }
# All files but those of dpkg, apt and logs. Python's compiled files are listed: they must go with their packages.
list_files() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./run -o -path ./tmp -o -path ./var/lib/dpkg \
  -o -path ./var/lib/apt -o -path ./var/cache -o -path ./var/log -o -path ./packages -o -path ./next -o -path ./source \) -prune -o -print | sort); }

# The same packages, as a later packaging.
mkdir "$work/next"
for file in "$packages"/*.deb; do
  version=$(dpkg-deb -f "$file" Version)
  dpkg-deb -R "$file" "$work/later"
  # Not the fixed version of Breaks and Replaces.
  sed -i "s/\(^Version: \|(= \)${version//./\\.}/\1$version+next/g" "$work/later/DEBIAN/control"
  dpkg-deb --root-owner-group -Znone -b "$work/later" "$work/next" >/dev/null
  rm -rf "$work/later"
done
quietly inside apt-get update -q
list_files >"$work/before"

step "installed from the files alone: vqas, vqas-gui, vqas-node, python3-vqas"
quietly inside sh -c 'apt-get install -qy --no-install-recommends /packages/vqas_*.deb /packages/vqas-gui_*.deb /packages/vqas-node_*.deb /packages/python3-vqas_*.deb'
inside vqas --version
inside sh -euc 'cd /tmp; vqas channel /usr/share/vqas/corpus/8k/M6.wav received.wav --ber 1e-3 --seed 7 >/dev/null
  vqas score /usr/share/vqas/corpus/8k/M6.wav received.wav | head -3
  vqas quickstart short --stimuli M1,F1 --cap 5 --seed 7 >short.txt; tail -5 short.txt; test -s short/report.html
  vqas-gui --simulate --stimuli M1 --cap 5 --out window --screenshot window.png --quit-when-done; test -s window.png
  ls /usr/share/man/man1/vqas*.gz | wc -l'
inside python3 -c 'import vqas
speech = vqas.corpus.default().recording("M6")
found = vqas.score(speech, vqas.channel.G711Line(ber=1e-3, seed=7)(speech), 8000)
assert found.scored, found
print("python3-vqas:", found)'
inside bash -euc 'for one in vqas vqas-batch; do source /usr/share/bash-completion/completions/$one; complete -p $one; test -s /usr/share/zsh/vendor-completions/_$one; done'

step "the node as its unit runs it, measured from another process"
boot() {
  # A control group of its own, so that the systemd inside manages that one.
  (
    for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/systemd; do
      [ ! -e "$hierarchy/cgroup.procs" ] || { mkdir -p "$hierarchy/$group" && echo "$BASHPID" >"$hierarchy/$group/cgroup.procs"; }
    done
    export SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1
    exec systemd-nspawn --quiet --register=no --keep-unit --console=pipe --private-network --boot -D "$root" --bind-ro="$packages:/packages" \
      --bind-ro="$work/next:/next"
  ) >"$work/boot.log" 2>&1 </dev/null &
  machine=$!
  for _ in $(seq 120); do
    leader=$(pgrep -P "$machine" -x systemd || true)
    [ -n "$leader" ] && booted systemctl is-system-running 2>/dev/null | grep -qE 'running|degraded' && return
    sleep 1
  done
  cat "$work/boot.log" >&2
  fail "systemd in the root did not come up"
}
boot
booted systemd-analyze verify --man=no /usr/lib/systemd/system/vqas-node@.service
booted systemd-analyze security vqas-node@a.service --no-pager | tail -1
booted systemctl start vqas-node@a.service || true
sleep 2
[ "$(booted systemctl show -P ExecMainStatus vqas-node@a.service)" = 2 ] || fail "a node without a line did not end with 2"
for end in a b; do
  booted sed -i "s#^VQAS_NODE_ARGUMENTS=\"#&--line sim:127.0.0.1:7810/$end #" /etc/vqas/node-$end.conf
done
booted systemd-run --quiet --unit=line vqas sim --port 7810 --ber 1e-4
booted systemctl reset-failed vqas-node@a.service
booted systemctl enable --quiet --now vqas-node@a.service vqas-node@b.service
sleep 2
for end in a b; do
  pid=$(booted systemctl show -P MainPID vqas-node@$end.service)
  echo "node $end: user $(booted stat -c %U "/proc/$pid"), $(booted cat "/proc/$pid/cmdline" | tr "\0" " ")"
done
booted runuser -u nobody -- vqas measure --node-a ws://127.0.0.1:7811 --node-b ws://127.0.0.1:7812 --stimuli M1,F1 --cap 5 \
  --out /tmp/measured | tail -6
booted journalctl --no-pager -q -u 'vqas-node@*' -p warning | grep -v 'status=2' | head -5

step "upgraded to a higher version, with the nodes running"
before=$(booted systemctl show -P MainPID vqas-node@a.service)
quietly booted sh -c 'dpkg -i /next/vqas_*.deb /next/vqas-gui_*.deb /next/vqas-node_*.deb /next/python3-vqas_*.deb'
booted dpkg-query -W -f '${Package} ${Version}\n' 'vqas*' 'python3-vqas'
after=$(booted systemctl show -P MainPID vqas-node@a.service)
[ "$after" -gt 0 ] && [ "$after" != "$before" ] || fail "the node was not started anew by the upgrade: $before, $after"
booted grep -q sim: /etc/vqas/node-a.conf || fail "the upgrade lost the configuration"
booted runuser -u nobody -- vqas measure --node-a ws://127.0.0.1:7811 --node-b ws://127.0.0.1:7812 --stimuli M1 --cap 5 --out /tmp/again | tail -3

booted systemd-analyze verify --man=no /usr/lib/systemd/system/vqas-campaign@.service
printf '[line]\nkind = "sim:"\n[stimuli]\nstimuli = ["M1"]\n[precision]\ncap_count = 5\n' >"$root/etc/vqas/campaign-one.toml"
booted systemctl enable --quiet --now vqas-campaign@one.service
for _ in $(seq 60); do booted test -s /var/lib/vqas/campaign-one/results/report.html && break; sleep 1; done
booted test -s /var/lib/vqas/campaign-one/results/report.html || fail "the campaign's service made no report"

step "removed, purged"
quietly booted apt-get remove -qy vqas-node
[ "$(booted systemctl show -P ActiveState vqas-node@a.service)" != active ] || fail "the node runs after its removal"
booted test -f /etc/vqas/node-a.conf || fail "removal without purge took the configuration"
booted test -d /var/lib/vqas/node-a || fail "removal without purge took the measurements"
quietly booted apt-get purge -qy vqas-node vqas-gui vqas python3-vqas
for left in /var/lib/vqas/campaign-one /var/lib/private/vqas/campaign-one; do
  booted test ! -e "$left" || fail "purge left $left"
done
booted rm /etc/vqas/campaign-one.toml && booted rmdir --ignore-fail-on-non-empty /etc/vqas
stop_machine

step "C and C++ programs against libvqas-dev"
quietly inside sh -c 'apt-get install -qy --no-install-recommends /packages/libvqas0_*.deb /packages/libvqas-dev_*.deb g++ libc6-dev make cmake python3-minimal'
inside sh -euc 'mkdir /root/built; cd /root/built; python3 -B /source/tests/docs/file_block.py /source libvqas/doc/integration-c.md score.c .
  cc -std=c11 -Wall -Werror -o by-pkg-config score.c $(pkg-config --cflags --libs vqas)
  tail -c +45 /source/corpus/8k/M1.wav >m1.raw; ./by-pkg-config m1.raw m1.raw
  for components in score core; do
    cmake -S /source/tests/consumer -B $components -DVQAS_COMPONENTS=$components >/dev/null; cmake --build $components >/dev/null
    echo "$components: $($components/consumer /source/corpus/8k/M1.wav /source/corpus/8k/M1.wav)"
  done'
quietly inside sh -c 'apt-get install -qy --no-install-recommends /next/libvqas0_*.deb /next/libvqas-dev_*.deb'
inside sh -euc 'cd /root/built; ./by-pkg-config m1.raw m1.raw; rm -r /root/built'
quietly inside apt-get purge -qy libvqas-dev libvqas0

step "what is left"
quietly inside apt-get purge --autoremove -qy g++ libc6-dev make cmake python3-minimal
list_files | comm -13 "$work/before" - >"$work/left"
echo "$(wc -l <"$work/left") files and folders are left, those of other packages included:"
sed 's/^/  /' "$work/left" | head -40
if grep -qi vqas "$work/left"; then fail "files of VQAS are left"; fi
echo "the user of the nodes: $(inside getent passwd _vqas || echo none)"
printf '\npackages: installed, used, upgraded and removed in %d s\n' $((SECONDS - started))
