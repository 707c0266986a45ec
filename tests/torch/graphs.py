"""Captures a small training step as a CUDA graph and replays it under the limit.

usage: graphs.py LIMIT_GIB"""
import json
import sys

import torch

GIB = 1 << 30
limit = int(sys.argv[1]) * GIB
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(512, 2048), torch.nn.ReLU(), torch.nn.Linear(2048, 512)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
x = torch.randn(256, 512, device="cuda")
y = torch.randn(256, 512, device="cuda")


def step():
    optimizer.zero_grad(set_to_none=True)
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    for _ in range(3):
        step()
torch.cuda.current_stream().wait_stream(side)

graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    loss = step()
graph.replay()
torch.cuda.synchronize()
first = float(loss)
for _ in range(200):
    graph.replay()
torch.cuda.synchronize()
last = float(loss)
assert last < first, f"200 replays did not lower the loss: {first} -> {last}"

# A refused allocation next to a live graph leaves the graph usable.
try:
    torch.empty(limit, dtype=torch.uint8, device="cuda")
    raise AssertionError("an allocation of the whole limit was given out beside a model")
except torch.OutOfMemoryError:
    pass
graph.replay()
torch.cuda.synchronize()
assert float(loss) < first
print(json.dumps({"first_loss": first, "last_loss": last}))
