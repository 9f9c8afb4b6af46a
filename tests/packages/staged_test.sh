#!/usr/bin/env bash
# Installs each component into a folder of its own, as the packages hold them, and looks at what is in it.
# usage: staged_test.sh SOURCE_DIR BUILD_DIR WORK_DIR
set -euo pipefail
source_dir=$1 build_dir=$2 work=$3
rm -rf "$work" && mkdir -p "$work"
fail() { echo "staged: $*" >&2; exit 1; }
files() { (cd "$1" && find . ! -type d | sort); }

cmake --install "$build_dir" --prefix "$work/all" >"$work/install.log"
for component in libvqas0 libvqas-dev vqas_c vqas vqas-gui vqas-node licence; do
  cmake --install "$build_dir" --component "$component" --prefix "$work/$component" >>"$work/install.log"
  files "$work/$component" >>"$work/known"
done
# A file in no component would be in no package.
left=$(files "$work/all" | comm -23 - <(sort -u "$work/known"))
[ -z "$left" ] || fail "no package has: $left"

has() {  # COMPONENT PATTERN...
  local component=$1 pattern
  shift
  for pattern in "$@"; do
    files "$work/$component" | grep -E "^\./$pattern\$" >/dev/null || fail "$component lacks $pattern"
  done
}
only() {  # COMPONENT PATTERN: no file has another name
  local others
  others=$(files "$work/$1" | grep -vE "^\./($2)\$" || true)
  [ -z "$others" ] || fail "$1 has also: $others"
}
has libvqas0 'lib/.*libvqas\.so\.0' 'lib/.*libvqas\.so\.0\.[0-9.]+'
only libvqas0 'lib/.*libvqas\.so\.0[0-9.]*'
has vqas_c 'lib/.*libvqas\.so' include/vqas/vqas.h 'lib/.*pkgconfig/vqas\.pc' 'lib/.*cmake/vqas/vqasConfig\.cmake'
has libvqas-dev 'lib/.*libvqas_score\.a' include/vqas/score/score.h 'lib/.*cmake/vqas/vqasCoreTargets\.cmake'
only libvqas-dev '(include|lib)/.*'
has vqas bin/vqas libexec/vqas/vqas 'share/man/man1/vqas\.1\.gz' 'share/man/man1/vqas-score\.1\.gz' \
  share/bash-completion/completions/vqas \
  'share/zsh/.*/_vqas' share/vqas/corpus/manifest.json share/vqas/corpus/LICENSE 'share/doc/vqas/index\.md' \
  'lib/systemd/system/vqas-campaign@\.service'
# The program finds its other half and the stimuli from where it is installed, also through a link from elsewhere.
ln -s "$work/vqas/bin/vqas" "$work/link"
sed -i 's/"M1"/"Q1"/' "$work/vqas/share/vqas/corpus/manifest.json"
env -u VQAS_CORPUS "$work/link" corpus list | grep Q1 >/dev/null ||
  fail "the installed vqas does not find its other half or its stimuli"
has vqas-node 'lib/systemd/system/vqas-node@\.service' lib/sysusers.d/vqas-node.conf
only vqas-node 'lib/(systemd|sysusers.d)/.*'
if [ -d "$work/vqas-gui/share" ]; then
  has vqas-gui bin/vqas-gui 'share/man/man1/vqas-gui\.1\.gz' share/icons/hicolor/{scalable/apps/vqas-gui.svg,48x48/apps/vqas-gui.png}
  desktop-file-validate "$work/vqas-gui/share/applications/vqas-gui.desktop"
  if command -v appstreamcli >/dev/null; then
    appstreamcli validate --no-net "$work/vqas-gui/share/metainfo/org.vqas.gui.metainfo.xml"
  fi
fi

# Of the other rooms' files the package for C programs needs none.
grep -rhoE '\$\{_IMPORT_PREFIX\}/[^"]*' "$work"/vqas_c/lib | sort -u | sed "s#\${_IMPORT_PREFIX}/#./#" >"$work/named"
while read -r name; do
  [ -e "$work/vqas_c/$name" ] || [ -e "$work/libvqas0/$name" ] || fail "the CMake package for C names $name, which is not there"
done <"$work/named"

if command -v systemd-analyze >/dev/null; then
  exposure=$(systemd-analyze security --offline=true --no-pager "$work"/vqas-node/lib/systemd/system/vqas-node@.service |
    sed -n 's/.*Overall exposure level[^:]*: \([0-9.]*\).*/\1/p')
  awk -v found="$exposure" 'BEGIN { exit !(found != "" && found < 2) }' || fail "the service's exposure is \"$exposure\", not below 2"
  echo "staged: exposure of vqas-node@.service is $exposure"
fi
echo "staged: $(files "$work/all" | wc -l) files, each in a package"
