"""Uses many kernels for the first time, and compares what the driver says that this process has with what it is charged.

usage: kernels.py BARE_LIBRARY_PATH (the LD_LIBRARY_PATH with which nvidia-smi shows the card as it is)"""
import json
import os
import subprocess
import sys

import torch
from torch.nn import functional

device = torch.device("cuda:0")


def driver_bytes():
    """Of this process by the driver's list, or None where that does not tell it."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("WARPSHARE_", "LD_"))}
    env["LD_LIBRARY_PATH"] = sys.argv[1]
    query = ["nvidia-smi", "--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits"]
    rows = subprocess.run(query, env=env, capture_output=True, text=True, check=True).stdout.splitlines()
    used = [row.split(",")[1].strip() for row in rows if row.split(",")[0].strip() == str(os.getpid())]
    return int(used[0]) << 20 if used and used[0].isdigit() else None


def measured():
    torch.cuda.synchronize()
    free, limit = torch.cuda.mem_get_info(device)
    return {"driver": driver_bytes(), "charged": limit - free}


def use_many_kernels():
    for kind in (torch.float32, torch.float16, torch.bfloat16):
        a = torch.randn(256, 256, device=device, dtype=kind)
        pictures = torch.randn(4, 16, 64, 64, device=device, dtype=kind)
        heads = torch.randn(2, 4, 128, 64, device=device, dtype=kind)
        functional.conv2d(pictures, torch.randn(32, 16, 3, 3, device=device, dtype=kind), padding=1)
        functional.max_pool2d(pictures, 2)
        functional.interpolate(pictures, scale_factor=2, mode="bilinear")
        functional.layer_norm(a, (256,))
        functional.scaled_dot_product_attention(heads, heads, heads)
        for name in ("sigmoid", "tanh", "exp", "log1p", "erf", "softmax", "cumsum", "sort", "argsort", "norm", "std"):
            function = getattr(torch, name)
            function(a, -1) if name in ("softmax", "cumsum", "sort", "argsort") else function(a)
        (a @ a).sum().item()
        torch.topk(a, 10)
    b = torch.randn(128, 128, device=device)
    torch.linalg.inv(b)
    torch.linalg.svd(b)
    torch.fft.fft2(b)
    torch.unique(torch.randint(0, 50, (1000,), device=device))


torch.ones(1, device=device)
before = measured()
use_many_kernels()
after = measured()
print(json.dumps({"before": before, "after": after}))
