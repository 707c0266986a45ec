// The first process of every pod: holds the pod's namespaces and collects the children of ended
// containers.
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static void OnTerminate(int signal_number) {
  (void)signal_number;
  _exit(0);
}

static void OnChild(int signal_number) {
  (void)signal_number;
  while (waitpid(-1, NULL, WNOHANG) > 0) {
  }
}

int main(void) {
  struct sigaction terminate = {.sa_handler = OnTerminate};
  struct sigaction child = {.sa_handler = OnChild, .sa_flags = SA_NOCLDSTOP};
  if (sigaction(SIGTERM, &terminate, NULL) != 0 || sigaction(SIGINT, &terminate, NULL) != 0 ||
      sigaction(SIGCHLD, &child, NULL) != 0) {
    return 1;
  }
  for (;;) {
    pause();
  }
}
