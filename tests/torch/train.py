"""Trains a network like ResNet-50 on random pictures, as a load that tools/gpu_check shares a card among.

usage: train.py SECONDS

Says {"ready": PID} after some steps, waits for a line on standard input, trains for so long, and says every 20 ms how
far it is, as bench/share/load does: {"at_ns", "so_far"} and at the end {"done", "start_ns", "end_ns"}, in steps of
training."""
import collections
import json
import os
import sys
import time

import torch
from torch import nn

# Of the size that ResNet-50 is commonly trained at: 64 pictures of 128 pixels left an H100 idle for half of the time,
# waiting for the processors to submit a step (some 25 ms), and what was measured were the processors.
BATCH, PIXELS, CLASSES = 128, 224, 1000
STAGES = ((64, 3), (128, 4), (256, 6), (512, 3))  # width and blocks of ResNet-50
GROWTH = 4
STEPS_AHEAD = 2
WARM_STEPS = 5
TICK_NS = 20_000_000


def tell(**values):
    print(json.dumps(values), flush=True)


def convolution(inputs, outputs, size, stride=1):
    return [nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs)]


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        outputs = width * GROWTH
        self.path = nn.Sequential(*convolution(inputs, width, 1), nn.ReLU(True), *convolution(width, width, 3, stride),
                                  nn.ReLU(True), *convolution(width, outputs, 1))
        is_same = stride == 1 and inputs == outputs
        self.shortcut = nn.Identity() if is_same else nn.Sequential(*convolution(inputs, outputs, 1, stride))

    def forward(self, x):
        return torch.relu(self.path(x) + self.shortcut(x))


def network():
    layers = [*convolution(3, 64, 7, 2), nn.ReLU(True), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for index, (width, blocks) in enumerate(STAGES):
        for block in range(blocks):
            layers.append(Bottleneck(inputs, width, 2 if block == 0 and index > 0 else 1))
            inputs = width * GROWTH
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, CLASSES))


class Training:
    def __init__(self):
        self._model = network().cuda()
        self._optimizer = torch.optim.SGD(self._model.parameters(), lr=1e-3, momentum=0.9)
        self._pictures = torch.randn(BATCH, 3, PIXELS, PIXELS, device="cuda")
        self._labels = torch.randint(CLASSES, (BATCH,), device="cuda")
        self._in_flight = collections.deque()

    def step(self):
        """Submits one; awaits the one before the last. Whether one has ended by now."""
        self._optimizer.zero_grad(set_to_none=True)
        nn.functional.cross_entropy(self._model(self._pictures), self._labels).backward()
        self._optimizer.step()
        end = torch.cuda.Event()
        end.record()
        self._in_flight.append(end)
        if len(self._in_flight) <= STEPS_AHEAD:
            return False
        self._in_flight.popleft().synchronize()
        return True


def main():
    seconds = float(sys.argv[1])
    torch.manual_seed(1)
    torch.backends.cudnn.benchmark = False  # what it chooses depends on who else is at work
    torch.backends.cuda.matmul.allow_tf32 = True
    training = Training()
    for _ in range(WARM_STEPS):
        training.step()
    torch.cuda.synchronize()
    tell(ready=os.getpid())
    if not sys.stdin.readline():
        return
    start = tick = now = time.monotonic_ns()
    done = 0
    while now < start + seconds * 1e9:
        done += training.step()
        now = time.monotonic_ns()
        if done and now >= tick:
            tell(at_ns=now, so_far=done)
            tick = now + TICK_NS
    tell(done=done, start_ns=start, end_ns=now)
    sys.stdout.flush()
    os._exit(0)  # with what is in flight, as a user's ^C would


main()
