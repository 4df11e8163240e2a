#!/usr/bin/env bash
# debian.sh BUILD OUT: a Debian package of what BUILD holds, as OUT/andes_VERSION-1_ARCH.deb.
#
# One package, by the tools of dpkg alone: a private library for each MPI is in it, and only dpkg-shlibdeps,
# called by hand, can make MPI libraries suggestions in place of dependencies (CPack hands every file to one call).
# Nothing is compiled: what is packed is what was tested. DEBFULLNAME and DEBEMAIL name the maintainer,
# SOURCE_DATE_EPOCH the time, as elsewhere in Debian.
set -euo pipefail
umask 022

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath "$1")
out=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

cached() { sed -n "s|^$1:[A-Z]*=||p" "$build/CMakeCache.txt"; }

version=$(cached CMAKE_PROJECT_VERSION)-1
architecture=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME:-The andes authors} <${DEBEMAIL:-andes@localhost}>"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || date +%s)}
date=$(date -R -u -d "@$SOURCE_DATE_EPOCH")

# ---- the files ---------------------------------------------------------------------------------

DESTDIR=$root cmake --install "$build" --prefix /usr --strip >"$work/log" || { cat "$work/log" >&2; exit 1; }

doc=$root/usr/share/doc/andes
{ cat "$here/debian/copyright" && sed 's/^$/./; s/^/ /' "$doc/LICENSE"; } >"$doc/copyright"
rm "$doc/LICENSE"
mv "$doc/CHANGELOG.md" "$doc/changelog"
cat >"$doc/changelog.Debian" <<EOF
andes ($version) unstable; urgency=medium

  * Built from the upstream release; its changes are in changelog.gz.

 -- $maintainer  $date
EOF
gzip -9n "$doc/changelog" "$doc/changelog.Debian" "$root"/usr/share/man/man1/*
# Debian's zsh looks there; and in /usr a module would only put /usr/bin before everything else.
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root"/usr/share/zsh/site-functions/_andes "$root/usr/share/zsh/vendor-completions/"
rm -r "$root/usr/share/zsh/site-functions" "$root/usr/share/modulefiles"
# Debian's Python looks there.
mkdir -p "$root/usr/lib/python3/dist-packages"
mv "$root/usr/lib/andes/python/andes" "$root/usr/lib/python3/dist-packages/"
rmdir "$root/usr/lib/andes/python"
install -D -m 644 "$here/debian/overrides" "$root/usr/share/lintian/overrides/andes"

# ---- what it needs -----------------------------------------------------------------------------

# Prints the packages that hold what the programs and libraries link with, ", " between them.
shared_libraries() {
  local words=() file
  for file; do words+=(-e "$file"); done
  (cd "$work" && dpkg-shlibdeps -O "${words[@]}" 2>"$work/trouble") | sed -n "s/^shlibs:Depends=//p"
}
mkdir "$work/debian"
printf 'Source: andes\n\nPackage: andes\nArchitecture: any\n' >"$work/debian/control"

mapfile -t files < <(find "$root" -type f \( -name '*.so' -o -perm /100 \) | sort)
always=() wrappers=()
for file in "${files[@]}"; do
  mpi=${file##*/libandes-}
  case ";$(cached ANDES_MPIS);" in
    *";${mpi%.so};"*) wrappers+=("$file") ;; # opened where that MPI is
    *) always+=("$file") ;;
  esac
done
if ! depends=$(shared_libraries "${always[@]}"); then
  cat "$work/trouble" >&2
  echo "andes: package: a library of andes' programs is in no Debian package; build with Debian's" >&2
  exit 1
fi
suggests=
for file in "${wrappers[@]}"; do
  # Nothing for an MPI of the user's own; and without what every library needs, and is there already.
  package=$(shared_libraries "$file" | sed 's/, /\n/g' | grep -v '^libc6\b' | paste -sd, | sed 's/,/, /g') || continue
  suggests+=${suggests:+, }$package
done
# Clang's own headers, which every parse needs, are no library.
headers=$(cached ANDES_CLANG_RESOURCES)/include/stddef.h
if [ -e "$headers" ]; then
  package=$(dpkg -S "$(realpath "$headers")" 2>/dev/null | cut -d: -f1 || true)
  depends+=${package:+, $package}
fi

# Opened where counters are asked for.
recommends=$(dpkg -S "$(realpath "$(cached ANDES_PAPI)" 2>/dev/null)" 2>/dev/null | cut -d: -f1 || true)

# ---- the package -------------------------------------------------------------------------------

mkdir "$root/DEBIAN"
{
  printf 'Package: andes\nVersion: %s\nArchitecture: %s\n' "$version" "$architecture"
  printf 'Maintainer: %s\nSection: devel\nPriority: optional\n' "$maintainer"
  printf 'Installed-Size: %s\nDepends: %s\n' "$(du -sk --exclude=DEBIAN "$root" | cut -f1)" "$depends"
  if [ -n "$recommends" ]; then printf 'Recommends: %s\n' "$recommends"; fi
  if [ -n "$suggests" ]; then printf 'Suggests: %s\n' "$suggests"; fi
  cat "$here/debian/description"
} >"$root/DEBIAN/control"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
find "$root" -type d -exec chmod 755 {} +

package=andes_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$work/$package" >>"$work/log"
mkdir -p "$out"
mv "$work/$package" "$out/$package"
printf '%s\n' "$out/$package"
