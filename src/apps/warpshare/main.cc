#include "apps/warpshare/command_line.h"
#include "apps/warpshare/complaint.h"
#include "platform/descriptor/descriptor.h"

int main(int argc, char** argv) {
  warpshare::platform::FillStandardStreams();
  return warpshare::app::WithOutput(warpshare::app::ReadCommandLine(argc, argv)());
}
