# Tests: all of them in release and a short run on a real Kubernetes; what CI adds: the quick ones again under the sanitizers, and
# a short run of each fuzzer, which are as many builds again.

fuzz_seconds=10

run_ctest() {
  local preset=$1
  shift
  TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}" UBSAN_OPTIONS="print_stacktrace=1 ${UBSAN_OPTIONS:-}" \
    run ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --no-tests=error \
    --output-log "build/$preset/ctest.log" "$@"
}

# LABEL names both the tests and the target that builds no more than they need.
test_label() {
  local preset=$1 label=$2
  shift 2
  dev_build "$preset" --target "${label}_tests"
  run_ctest "$preset" -L "^$label\$" "$@"
}

test_release() {
  dev_build release
  run_ctest release "$@"
}

# Debian's packages that build/lean read headers of, other than a compiler's, the C library's and the two header-only ones.
lean_surplus() {
  ninja -C build/lean -t deps | grep -oE '/usr/(local/)?include/.*' | xargs -r readlink -f | sort -u | xargs -r dpkg -S |
    sed 's/[:,].*//' | sort -u | grep -vE '^(libc6|linux-libc|libcrypt|libstdc\+\+-[0-9]+|libgcc-[0-9]+|libcli11|libexpected)-dev$'
}

# What a GPU machine without a network builds, and that it needs no library that such a machine lacks.
test_lean() {
  local surplus
  dev_build lean --target products gpu_check_programs
  if command -v dpkg-query >/dev/null; then
    surplus=$(lean_surplus) || true
    [ -z "$surplus" ] || die "the lean build reads headers of: $(tr '\n' ' ' <<<"$surplus")(ninja -C build/lean -t deps says where)"
  fi
  WARPSHARE_BUILD=build/lean run tools/demo --sim
}

# logged FILE COMMAND: what COMMAND says goes to FILE, and is shown if it fails.
logged() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 || {
    cat "$log" >&2
    return 1
  }
}

run_fuzzer() {
  local fuzzer=$1 corpus=()
  local found=build/fuzz/found/${fuzzer##*/}
  mkdir -p "$found"
  [ ! -d "$fuzzer.corpus" ] || corpus=("$fuzzer.corpus")
  run logged "$found.log" "$fuzzer" -max_total_time="$fuzz_seconds" -timeout=10 -verbosity=0 \
    -artifact_prefix="$found/crash-" "$found" "${corpus[@]}"
}

test_fuzz() {
  dev_build fuzz --target fuzzers
  local fuzzer failures=build/fuzz/failed
  rm -f "$failures"
  for fuzzer in build/fuzz/fuzzers/*_fuzz; do
    while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n || true; done
    { run_fuzzer "$fuzzer" || echo "${fuzzer##*/}" >>"$failures"; } &
  done
  wait
  [ ! -s "$failures" ] || die "fuzzers failed: $(paste -sd ' ' "$failures")"
}

# The test cluster's Go programs are built, once a machine, in what the stages before leave idle: their tests and links wait a
# good deal. Not beside the release tests, of which some measure time.
build_cluster_programs_meanwhile() {
  mkdir -p build
  nice -n 19 tests/cluster/cluster build --no-fake-nodes >build/cluster-programs.log 2>&1 &
  programs_builder=$!
  # Commands in the background do not hear a ^C.
  trap 'kill "$programs_builder" 2>/dev/null || true' EXIT
}

# A failure shows again in the stage itself.
await_cluster_programs() {
  [ -z "${programs_builder:-}" ] || wait "$programs_builder" || true
  trap - EXIT
}

# show_failures STAGE: which tests failed, and where their output says why: the whole of it is far above, and may be cut off.
show_failures() {
  local log=build/$1/ctest.log
  printf 'FAILED: tools/dev test %s\n' "$1"
  [ -f "$log" ] || return 0
  sed -n '/^The following tests FAILED:/,/^Errors while/p' "$log" | grep -E '^[[:space:]]+[0-9]+ - ' || true
  grep -E -A6 ': Failure$|^(FAIL|ERROR): |^(==[0-9]+==ERROR|WARNING): [A-Z][A-Za-z]+Sanitizer|: runtime error: ' "$log" | head -n 24 || true
}

# test_stages SANITIZER ...: release, those, and the short end-to-end run. It needs more than the others: Go, root and
# namespaces. Where that is missing it is left out, and the last lines say so and how to mend it.
test_stages() {
  local failed=() stages=("$@") stage lack=
  lack=$(tests/cluster/cluster check 2>&1) || true
  rm -f build/*/ctest.log
  "$root/tools/dev" test release || failed+=(release)
  if [ -z "$lack" ]; then
    [ $# = 0 ] || build_cluster_programs_meanwhile
    stages+=(e2e)
  fi
  for stage in "${stages[@]}"; do
    [ "$stage" != e2e ] || await_cluster_programs
    "$root/tools/dev" test "$stage" || failed+=("$stage")
  done
  printf '\n'
  [ -z "$lack" ] || printf 'NOT RUN: tools/dev test e2e: %s\n' "${lack#*: }"
  for stage in "${failed[@]}"; do show_failures "$stage"; done
  grep -hs 'tests passed' build/release/ctest.log || true
  [ ${#failed[@]} = 0 ]
}

dev_test() {
  local preset=${1:-once}
  [ $# = 0 ] || shift
  case $preset in
    once) test_stages ;;
    all) test_stages lean asan tsan fuzz ;;
    lean) test_lean ;;
    release) test_release "$@" ;;
    asan | ubsan) test_label "$preset" asan "$@" ;;
    tsan) test_label "$preset" tsan "$@" ;;
    fuzz) test_fuzz ;;
    e2e) test_e2e "$@" ;;
    *) dev_build "$preset" && run_ctest "$preset" "$@" ;;
  esac
}
