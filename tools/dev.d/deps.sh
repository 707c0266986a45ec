# Packages, by what they are for. Names are Debian 12's.

products_packages=(g++ cmake ninja-build libcli11-dev libexpected-dev)
develop_packages=(python3 python3-yaml python3-venv python3-pip libgtest-dev libbenchmark-dev clang-19 clang-format-19
  clang-tidy-19 libclang-rt-19-dev ccache binutils git musl-tools)
service_packages=(libboost1.81-dev libboost-json1.81-dev libssl-dev libyaml-cpp-dev prometheus-cpp-dev libgrpc++-dev libprotobuf-dev
  protobuf-compiler protobuf-compiler-grpc)
cluster_packages=(runc containernetworking-plugins iproute2 iptables busybox-static openssl)

# Where `deps` puts programs that are only run by tests, for them not to be installed as services of this machine.
test_programs=${XDG_CACHE_HOME:-$HOME/.cache}/warpshare

missing_packages() {
  local name
  for name in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || printf '%s\n' "$name"
  done
}

install_packages() {
  command -v apt-get >/dev/null || die "no apt-get here; install by hand what these Debian packages hold: $*"
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if [ ${#missing[@]} = 0 ]; then
    echo "deps: all there"
    return
  fi
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}"
}

# True when the products can be built as things are, however the tools came here.
can_build_products() {
  command -v cmake >/dev/null && command -v ninja >/dev/null && command -v g++ >/dev/null &&
    printf '#include <CLI/CLI.hpp>\n#include <tl/expected.hpp>\n' |
    g++ -std=c++20 ${WARPSHARE_HEADERS:+-I"$WARPSHARE_HEADERS"} -E -x c++ - >/dev/null 2>&1
}

# `build` and `test` never install anything by themselves: they say what is missing.
require_deps() {
  command -v dpkg-query >/dev/null || return 0
  local missing
  mapfile -t missing < <(missing_packages "${products_packages[@]}" "${develop_packages[@]}" "${service_packages[@]}")
  [ ${#missing[@]} = 0 ] || die "missing packages: ${missing[*]}; run: tools/dev deps"
}

# Prometheus and promtool, out of Debian's package: installing that would start a server.
unpack_prometheus() {
  local scratch
  if [ -x "$test_programs/prometheus/usr/bin/promtool" ] || command -v promtool prometheus >/dev/null; then
    return
  fi
  scratch=$(mktemp -d)
  if ! (cd "$scratch" && apt-get download -qq prometheus 2>/dev/null); then
    as_root apt-get update -qq
    (cd "$scratch" && run apt-get download -qq prometheus)
  fi
  mkdir -p "$test_programs/prometheus.new"
  run dpkg-deb -x "$scratch"/prometheus_*.deb "$test_programs/prometheus.new"
  rm -r "$scratch"
  mv -T "$test_programs/prometheus.new" "$test_programs/prometheus"
}

dev_deps() {
  case ${1:-all} in
    all)
      install_packages "${products_packages[@]}" "${develop_packages[@]}" "${service_packages[@]}" "${cluster_packages[@]}"
      unpack_prometheus
      ;;
    products) can_build_products || install_packages "${products_packages[@]}" ;;
    *) die "deps takes nothing or: products" ;;
  esac
}
