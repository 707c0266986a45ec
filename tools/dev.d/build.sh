# Configure, build, clean.

configure() {
  local preset=$1
  shift
  run cmake --preset "$preset" --log-level=NOTICE -DWARPSHARE_HEADERS="${WARPSHARE_HEADERS:-}" "$@"
}

dev_build() {
  local preset=${1:-release}
  [ $# = 0 ] || shift
  require_deps
  configure "$preset"
  run cmake --build "build/$preset" --parallel "$jobs" "$@"
}

# The products alone, into build/release: with no test framework and nothing but header-only libraries.
build_products() {
  dev_deps products
  if ! grep -qs '^WARPSHARE_LEAN:BOOL=OFF' build/release/CMakeCache.txt; then
    configure release -DWARPSHARE_LEAN=ON -DWARPSHARE_TESTS=OFF -DWARPSHARE_WERROR=OFF
  fi
  run cmake --build build/release --parallel "$jobs" --target products
}

dev_clean() {
  run rm -rf build
}
