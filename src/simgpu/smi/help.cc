#include "simgpu/smi/facts.h"
#include "simgpu/smi/reports.h"

namespace simgpu::smi {

void PrintVersions(const Machine& machine, std::FILE* out) {
  std::fprintf(out, "SIMGPU-SMI version : %s\nNVML version       : %s\n",
               machine.driver_version.c_str(), machine.nvml_version.c_str());
  std::fprintf(out, "DRIVER version     : %s\nCUDA Version       : %s\n",
               machine.driver_version.c_str(), machine.cuda_version.c_str());
}

void PrintHelp(std::FILE* out) {
  std::fputs(
      "simgpu-smi: shows cards as nvidia-smi does, through libnvidia-ml.so.1.\n"
      "\n"
      "  simgpu-smi                          the table of cards and processes\n"
      "  simgpu-smi -L                       a line for each card\n"
      "  simgpu-smi -q [-d MEMORY,POWER]     all that is known of each card, or sections of it;\n"
      "                                      with -x as XML\n"
      "  simgpu-smi topo -m                  how the cards are joined\n"
      "  simgpu-smi dmon, pmon               a line for each card, or process, every second\n"
      "  simgpu-smi --query-gpu=FIELD,...          --format=csv[,noheader][,nounits]\n"
      "  simgpu-smi --query-compute-apps=FIELD,... --format=csv[,noheader][,nounits]\n"
      "\n"
      "  -i, --id=ID,...      only these cards: index, UUID, PCI address or serial number\n"
      "  -l, --loop=SECONDS   again and again (-lms, --loop-ms=MS)\n"
      "  -f, --filename=FILE  into a file\n"
      "  dmon, pmon: -c COUNT of rounds, -d SECONDS between them, -o DT for date and time,\n"
      "       -s METRICS: p power u utilization c clocks v violations m memory e errors t PCIe\n"
      "       (pmon: u m)\n"
      "  --help-query-gpu     the fields that can be asked for\n"
      "  --version            versions\n"
      "\n"
      "Sections of -d: MEMORY UTILIZATION ECC TEMPERATURE POWER CLOCK COMPUTE PIDS PERFORMANCE.\n"
      "The library is the one a program would get (LD_LIBRARY_PATH, the system), else the one in\n"
      "../lib/simgpu beside this program. SIMGPU_WORLD names the simulated world.\n"
      "Exit status: 0, 1 for a file that cannot be written, 2 for a wrong command line, else the\n"
      "NVML error.\n"
      "\n"
      "Examples:\n"
      "  simgpu-smi --query-gpu=index,memory.used,memory.total --format=csv,noheader,nounits\n"
      "  warpshare run --sim --memory 4GiB -- simgpu-smi     what a tenant sees\n",
      out);
}

void PrintFields(std::FILE* out) {
  std::fputs("Fields of --query-gpu:\n\n", out);
  for (const Fact& fact : AllFacts()) {
    std::string name = "\"" + std::string(fact.name) + "\"";
    if (!fact.alias.empty()) name += " or \"" + std::string(fact.alias) + "\"";
    std::fprintf(out, "%s\n%s\n\n", name.c_str(), std::string(fact.about).c_str());
  }
  std::fputs(
      "Fields of --query-compute-apps:\n\n"
      "  timestamp, gpu_name, gpu_bus_id, gpu_serial, gpu_uuid, gpu_index, pid,\n"
      "  process_name (name), used_gpu_memory (used_memory)\n",
      out);
}

}  // namespace simgpu::smi
