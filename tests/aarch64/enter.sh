#!/bin/sh
# enter.sh ROOT QEMU build|run COMMAND...: a command in a user namespace in which the kernel hands programs for AArch64 to QEMU.
# "run": ROOT, a Debian for AArch64, is the root. "build": the machine's own root, with the libraries and headers of ROOT beside
# its own, for a cross compiler. Needs Linux 6.7, whose user namespaces have formats of programs of their own; no rights.
set -eu
exec unshare --user --map-root-user --mount sh -euc '
  root=$1 qemu=$2 how=$3
  shift 3
  mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
  magic="\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
  mask="\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
  printf "%s" ":aarch64:M::$magic:$mask:$qemu:F" >/proc/sys/fs/binfmt_misc/register
  # For the clock: emulated processors have the counter of AArch64, whatever counter the machine has.
  if [ -n "${COUNTER-}" ]; then mount --bind "$COUNTER" /sys/devices/system/clocksource/clocksource0/current_clocksource; fi
  if [ "$how" = build ]; then
    for place in lib include; do
      mount -t overlay overlay -o "lowerdir=/usr/$place:$root/usr/$place" "/usr/$place"
    done
    exec "$@"
  fi
  for place in proc dev sys tmp "$HERE"; do
    mkdir -p "$root/$place"
    mount --rbind "/$place" "$root/$place"
  done
  exec chroot "$root" "$@"' enter "$@"
