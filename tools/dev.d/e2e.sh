# warpshare on a real Kubernetes; tests/e2e/README.md. ARGS are unittest's.

dev_e2e() {
  dev_build release --target warpshare-node warpshare-scheduler simgpu-smi hold interposer_cuda interposer_nvml \
    simgpu_cuda simgpu_nvml
  tests/cluster/cluster build
  cd tests/e2e || return
  WARPSHARE_BUILD_DIR="$root/build/release" run python3 -B -m unittest discover -p '*_test.py' -v "$@"
}
