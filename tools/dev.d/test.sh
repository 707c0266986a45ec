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

# meanwhile LOG COMMAND: runs it in what the stages before the next `await_it` leave idle, as they wait a good deal. Not beside the
# release tests, of which some measure time. It is work that a later stage does again if it has to, and so shows what failed.
meanwhile() {
  local log=$1
  shift
  mkdir -p build
  nice -n 19 "$@" >"$log" 2>&1 &
  worker=$!
  # Commands in the background do not hear a ^C.
  trap 'kill "$worker" 2>/dev/null || true' EXIT
}

await_it() {
  [ -z "${worker:-}" ] || wait "$worker" || true
  worker=
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

# stage NAME: one of the stages below; `failed` gets its name if it fails.
stage() {
  "$root/tools/dev" test "$1" || failed+=("$1")
}

# The end-to-end run while all that it does not need is compiled, and the release tests.
e2e_and_release() {
  if "$root/tools/dev" build release --target "${e2e_targets[@]}" products; then
    meanwhile build/rest.log ninja -C build/release -j "$jobs"
    WARPSHARE_E2E_BUILT=1 stage e2e
    await_it
  else
    failed+=(e2e)
  fi
  stage release
}

# Release, some SANITIZER ..., and the short end-to-end run, for which the cluster's Go programs are built, once a machine.
release_to_e2e() {
  local name
  stage release
  [ -n "$lack" ] || meanwhile build/cluster-programs.log tests/cluster/cluster build --no-fake-nodes
  for name in "$@"; do stage "$name"; done
  await_it
  [ -n "$lack" ] || stage e2e
}

# test_stages SANITIZER ...: release, those, and the short end-to-end run. It needs more than the others: Go, root and
# namespaces. Where that is missing it is left out, and the last lines say so and how to mend it.
test_stages() {
  local failed=() name lack=
  lack=$(tests/cluster/cluster check 2>&1) || true
  rm -f build/*/ctest.log
  if [ $# = 0 ] && [ -z "$lack" ]; then
    e2e_and_release
  else
    release_to_e2e "$@"
  fi
  printf '\n'
  [ -z "$lack" ] || printf 'NOT RUN: tools/dev test e2e: %s\n' "${lack#*: }"
  for name in "${failed[@]}"; do show_failures "$name"; done
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
