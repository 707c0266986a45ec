# A real Kubernetes under test; docs/test-cluster.md. It asks for root itself where it must, and says what is missing.

dev_cluster() {
  [ $# -gt 0 ] || set -- --help
  exec tests/cluster/cluster "$@"
}
