"""Fills the limit with PyTorch's own allocator and checks that it gets its own OutOfMemoryError there.

usage: fill.py LIMIT_GIB (the tenant's limit; PyTorch's context and libraries come off it)"""
import json
import sys

import torch

GIB = 1 << 30
limit = int(sys.argv[1]) * GIB
device = torch.device("cuda:0")

total = torch.cuda.get_device_properties(device).total_memory
assert total == limit, f"the card shows {total} bytes, the limit is {limit}"

kept = []
try:
    while True:
        kept.append(torch.full((64, 1 << 20), 3, dtype=torch.uint8, device=device))
        assert len(kept) * 64 * (1 << 20) <= limit, "more than the limit was given out"
except torch.OutOfMemoryError:
    pass
held = sum(t.numel() for t in kept)
assert held > limit // 2, f"refused after {held} of {limit} bytes"
assert all(int(t[-1, -1]) == 3 for t in kept)

# After a refusal the program goes on: what is returned can be taken again, and arithmetic is right.
kept.clear()
torch.cuda.empty_cache()
a = torch.randn(2048, 2048, device=device)
product = (a @ a).cpu()
assert torch.allclose(product, a.cpu() @ a.cpu(), atol=1e-1, rtol=1e-2)
free, shown = torch.cuda.mem_get_info(device)
assert shown == limit and free < limit
print(json.dumps({"limit": limit, "held_when_refused": held, "free_after": free}))
