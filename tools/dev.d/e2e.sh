# warpshare on a real Kubernetes; tests/e2e/README.md. ARGS are unittest's.

e2e_targets=(warpshare warpshare-node warpshare-scheduler simgpu-smi hold share_load card_fault card_truth other_plugin
  interposer_cuda interposer_nvml simgpu_cuda simgpu_nvml)

# run_e2e FOLDER UNITTEST_WORDS: builds what the tests of that folder need, and runs those.
run_e2e() {
  local folder=$1
  shift
  dev_build release --target "${e2e_targets[@]}"
  if [ -z "${WARPSHARE_TEST_KUBECONFIG:-}" ]; then
    tests/cluster/cluster build --no-fake-nodes
  fi
  (cd "$folder" && WARPSHARE_BUILD_DIR="$root/build/release" run python3 -B -m unittest "$@")
}

dev_e2e() {
  run_e2e tests/e2e discover -p '*_test.py' -v "$@"
  [ -z "${WARPSHARE_TEST_KUBECONFIG:-}" ] || return 0
  # On a cluster of their own, after the first one is down: these install the daemons as pods.
  e2e_targets+=(products)
  run_e2e tests/e2e/install discover -p '*_test.py' -v "$@"
}

# The most telling tests, in a few minutes.
test_e2e() {
  local tests
  mapfile -t tests < <(grep -v '^#' tests/e2e/short-run.txt)
  run_e2e tests/e2e -v "${tests[@]}" "$@"
}
