# warpshare on a real Kubernetes; tests/e2e/README.md. ARGS are unittest's.

e2e_targets=(warpshare warpshare-node warpshare-scheduler simgpu-smi hold share_load card_fault card_truth other_plugin
  interposer_cuda interposer_nvml simgpu_cuda simgpu_nvml)

# The cluster that KUBECONFIG names is looked at first, so that what is missing is said once and not by every test.
users_e2e() {
  dev_build release --target warpshare hold simgpu-smi share_load
  (cd tests/e2e && run python3 -B users_cluster.py &&
    WARPSHARE_BUILD_DIR="$root/build/release" run python3 -B -m unittest discover -p '*_test.py' -v "$@")
}

# run_e2e FOLDER UNITTEST_WORDS: builds what the tests of that folder need, if that is not done, and runs those.
run_e2e() {
  local folder=$1
  shift
  [ -n "${WARPSHARE_E2E_BUILT:-}" ] || dev_build release --target "${e2e_targets[@]}"
  tests/cluster/cluster build --no-fake-nodes
  (cd "$folder" && WARPSHARE_BUILD_DIR="$root/build/release" run python3 -B -m unittest "$@")
}

dev_e2e() {
  if [ -n "${WARPSHARE_TEST_KUBECONFIG:-}" ]; then
    users_e2e "$@"
    return
  fi
  run_e2e tests/e2e discover -p '*_test.py' -v "$@"
  # On a cluster of their own, after the first one is down: these install the daemons as pods.
  e2e_targets+=(products)
  run_e2e tests/e2e/install discover -p '*_test.py' -v "$@"
}

# The most telling tests, in a few minutes; those of `install` on a cluster of their own.
test_e2e() {
  local tests of_install
  mapfile -t tests < <(grep -vE '^(#|install/)' tests/e2e/short-run.txt)
  mapfile -t of_install < <(sed -n 's|^install/||p' tests/e2e/short-run.txt)
  run_e2e tests/e2e -v "${tests[@]}" "$@"
  e2e_targets+=(products)
  run_e2e tests/e2e/install -v "${of_install[@]}" "$@"
}
