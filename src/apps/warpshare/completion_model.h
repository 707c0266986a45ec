// The commands and options of a program, as far as a shell needs them to complete words.
#pragma once

#include <string>
#include <vector>

namespace warpshare::app {

struct OptionModel {
  std::vector<std::string> names;  // "--memory", "-m"
  std::string description;
  bool takes_value;
  std::vector<std::string> words = {};  // that its value can be; empty: any
};

struct CommandModel {
  std::string name;
  std::string description;
  std::vector<OptionModel> options;
  std::vector<CommandModel> commands;
  std::vector<std::string> words;  // that its argument can be
  std::string words_from;          // a command line that prints such words; may be empty
  bool runs_program = false;       // its arguments are another command line
};

}  // namespace warpshare::app
