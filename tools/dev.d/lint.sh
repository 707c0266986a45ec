# The house rules, each by one check that prints file:line and what to do. All run; one that fails fails the whole.

format_files() {
  git ls-files --cached --others --exclude-standard -- 'src/*.h' 'src/*.cc' 'src/*.c' 'tests/*.h' 'tests/*.cc' \
    'tests/*.c' 'bench/*.h' 'bench/*.cc'
}

# One line a file: where it differs first. Many files a process: most of what one takes is its start.
check_format() {
  local bad
  bad=$(format_files | xargs -r -P "$jobs" -n 64 clang-format-19 --dry-run 2>&1 | grep -oE '^[^ :]+:[0-9]+:' | sort -t : -u -k 1,1 |
    sed 's/\([^:]*\):.*/& run clang-format-19 -i \1/') || true
  [ -z "$bad" ] || echo "$bad"
  echo "check_format: $(grep -c . <<<"$bad" || true) to mend" >&2
  [ -z "$bad" ]
}

check_generated() {
  [ ! -x tools/gen_driver_coverage ] || run tools/gen_driver_coverage --check
}

check_shell() {
  if command -v shellcheck >/dev/null; then
    run shellcheck -x tools/dev tools/dev.d/*.sh .ci/run -s bash -e SC2034,SC2154
  else
    echo "lint: no shellcheck here, skipped" >&2
  fi
}

check_products() {
  dev_build release --target products &&
    run tools/check_interposer_abi build/release/lib/warpshare
}

check_tidy() {
  # clang-tidy reads headers that the build writes, and ninja's record of who includes what.
  dev_build release &&
    run tools/check_tidy build/release
}

dev_lint() {
  require_deps
  local checks=(check_format tools/check_layers tools/check_sizes tools/check_names check_generated check_shell) check
  case ${1:-} in
    --fast) ;;
    "") checks+=(check_products check_tidy) ;;
    *) die "lint takes nothing or: --fast" ;;
  esac
  local failed=()
  for check in "${checks[@]}"; do
    # A subshell, so that `die` in one check does not end the others.
    (run "$check") || failed+=("${check#tools/}")
  done
  [ ${#failed[@]} = 0 ] || die "lint failed: ${failed[*]}"
  echo "lint: ok" >&2
}
