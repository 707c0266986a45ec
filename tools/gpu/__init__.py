"""What tools/gpu_check is made of: find the card, build lean, run the checks."""
