// What can be shown, each as text on `out`.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "simgpu/smi/machine.h"
#include "simgpu/smi/options.h"

namespace simgpu::smi {

void PrintTable(const Machine& machine, std::FILE* out);
void PrintList(const Machine& machine, std::FILE* out);
void PrintDetails(const Machine& machine, const std::vector<std::string>& sections, std::FILE* out);
void PrintXml(const Machine& machine, const std::vector<std::string>& sections, std::FILE* out);
void PrintTopology(const Machine& machine, std::FILE* out);
void PrintVersions(const Machine& machine, std::FILE* out);
void PrintHelp(std::FILE* out);
void PrintFields(std::FILE* out);

// Lines of values separated by ", ". CheckFields: empty, or what is wrong with a field's name.
std::string CheckFields(const Options& options);
void PrintCsvHeader(const Options& options, std::FILE* out);
void PrintCsvCards(const Machine& machine, const Options& options, std::FILE* out);
void PrintCsvProcesses(const Machine& machine, const Options& options, std::FILE* out);

// dmon and pmon. CheckMetrics: empty, or what is wrong with -s.
std::string CheckMetrics(const Options& options);
void PrintMonitorHeader(const Options& options, std::FILE* out);
void PrintCardMonitor(const Machine& machine, const Options& options, std::FILE* out);
void PrintProcessMonitor(const Machine& machine, const Options& options, std::FILE* out);

}  // namespace simgpu::smi
