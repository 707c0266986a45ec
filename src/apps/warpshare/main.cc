#include "apps/warpshare/command_line.h"

int main(int argc, char** argv) { return warpshare::app::ReadCommandLine(argc, argv)(); }
