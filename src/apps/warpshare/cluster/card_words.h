// Short texts about cards and parts of them, for tables and sentences alike.
#pragma once

#include <string>

#include "cluster/report/stock.h"

namespace warpshare::app {

// "12.00GiB / 40.00GiB" and "30 / 100 %".
std::string MemoryOfText(Bytes part, Bytes whole);
std::string CoresOfText(uint64_t part, uint64_t whole);

std::string CoresText(uint32_t percent);  // "30 %", "-" for none
std::string PercentText(Bytes part, Bytes whole);

// "hard", "weighted 4", "whole".
std::string ModeText(const request::CardGrant& grant);

// "1 card with 4GiB and 30 % of its time", "2 whole cards".
std::string WantedText(const request::ContainerRequest& container);

// All of a pod's containers that ask for cards, each by its name if there are several.
std::string WantedText(const request::Request& request);

std::string Counted(uint64_t number, const char* one, const char* more);  // "1 node", "2 nodes"

}  // namespace warpshare::app
