#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vqas::test {

/// The command, wrapped so that the system ends it with the thread that starts it, however that ends (util-linux'
/// setpriv).
inline std::vector<std::string> guarded(std::vector<std::string> command) {
  command.insert(command.begin(), {"setpriv", "--pdeathsig", "KILL", "--"});
  return command;
}

}  // namespace vqas::test
