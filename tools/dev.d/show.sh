# What is shown rather than tested: benchmarks, the demo, the checks on a real GPU.

# A benchmark NAME is a program bin/bench_NAME or a script bench/NAME/run.
bench_names() {
  local path
  for path in build/release/bin/bench_*; do
    [ ! -x "$path" ] || printf '%s\n' "${path##*/bench_}"
  done
  for path in bench/*/run; do
    [ ! -x "$path" ] || basename "$(dirname "$path")"
  done
}

bench_one() {
  local name=$1
  shift
  if [ -x "bench/$name/run" ]; then
    run "bench/$name/run" "$@"
  elif [ -x "build/release/bin/bench_$name" ]; then
    run "build/release/bin/bench_$name" "$@"
  else
    die "no benchmark '$name'; there are: $(bench_names | sort -u | tr '\n' ' ')"
  fi
}

# What is printed on standard output is the benchmark's alone, to be read by other programs.
dev_bench() {
  dev_build release >&2
  if [ $# -gt 0 ]; then
    bench_one "$@"
    return
  fi
  local name
  for name in $(bench_names | sort -u); do
    bench_one "$name"
  done
}

dev_demo() {
  build_products
  [ -x tools/demo ] || die "tools/demo is not here; the products are in build/release/"
  run tools/demo "$@"
}

dev_gpu_check() {
  [ -x tools/gpu_check ] || die "tools/gpu_check is not here"
  run tools/gpu_check "$@"
}
