"""What the machine holds that a client runs on, as run_client.py has made it."""

import os

CARDS = int(os.environ["CLIENT_CARDS"])
CARD_BYTES = int(os.environ["CLIENT_CARD_BYTES"])  # of each: all of it, or the tenant's limit
MIB = 1 << 20

# A tenant in a container: the driver's samples have the host's pids there.
NAMES_NO_PROCESS = CARDS == 1 and os.readlink("/proc/self/ns/pid") != "pid:[4026531836]"

# Any image loads on a simulated card; kernels last as long as their names say.
IMAGE = b"\x7fELF" + bytes(60)
