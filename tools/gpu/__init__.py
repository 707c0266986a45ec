"""What tools/gpu_check is made of; see README.md."""
