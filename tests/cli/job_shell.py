"""As much of a shell as job control needs: runs its arguments as the foreground job of its terminal, says when the
job stops or ends, and continues it when told "fg"."""

import os
import signal
import sys

terminal = os.open("/dev/tty", os.O_RDWR)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = os.fork()
if job == 0:
    try:
        os.setpgid(0, 0)
        os.tcsetpgrp(terminal, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvp(sys.argv[1], sys.argv[1:])
    finally:
        os._exit(127)

while True:
    _, status = os.waitpid(job, os.WUNTRACED)
    os.tcsetpgrp(terminal, os.getpgrp())
    if not os.WIFSTOPPED(status):
        print(f"job ended {os.waitstatus_to_exitcode(status)}", flush=True)
        break
    print(f"job stopped by {signal.Signals(os.WSTOPSIG(status)).name}", flush=True)
    if sys.stdin.readline().strip() != "fg":
        break
    os.tcsetpgrp(terminal, job)
    os.killpg(job, signal.SIGCONT)
