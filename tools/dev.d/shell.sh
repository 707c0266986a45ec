# What every command of tools/dev is written with.

run() {
  printf '+ %s\n' "$*" >&2
  "$@"
}

die() {
  printf 'tools/dev: %s\n' "$*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    run "$@"
  elif command -v sudo >/dev/null; then
    run sudo "$@"
  else
    die "this needs root and there is no sudo; as root, run: $*"
  fi
}
