# Tests: all of them in release, the quick ones again under the sanitizers, and a short run of each fuzzer.

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
  local fuzzer failed=()
  for fuzzer in build/fuzz/fuzzers/*_fuzz; do
    run_fuzzer "$fuzzer" || failed+=("${fuzzer##*/}")
  done
  [ ${#failed[@]} = 0 ] || die "fuzzers failed: ${failed[*]}"
}

# Every stage runs even when one before it failed; the last lines say which did, and then what ctest said of release.
test_everything() {
  local failed=() stage
  for stage in release asan tsan fuzz; do
    "$root/tools/dev" test "$stage" || failed+=("$stage")
  done
  printf '\n'
  [ ${#failed[@]} = 0 ] || printf 'FAILED: tools/dev test %s\n' "${failed[@]}"
  grep -hs 'tests passed' build/release/ctest.log || true
  [ ${#failed[@]} = 0 ]
}

dev_test() {
  local preset=${1:-everything}
  [ $# = 0 ] || shift
  case $preset in
    everything) test_everything ;;
    release) test_release "$@" ;;
    asan | ubsan) test_label "$preset" asan "$@" ;;
    tsan) test_label "$preset" tsan "$@" ;;
    fuzz) test_fuzz ;;
    *) dev_build "$preset" && run_ctest "$preset" "$@" ;;
  esac
}
