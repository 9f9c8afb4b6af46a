#pragma once

#include <gtest/gtest.h>

#include <string>

#include "support/places.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace vqas::test {

/// Runs the program, with a folder for its files.
class CommandTest : public ::testing::Test {
 protected:
  std::string in(const std::string& name) const { return (folder_.path() / name).string(); }
  static CommandRun vqas(const std::string& arguments) {
    return run_command(std::string(vqas_command()) + " " + arguments);
  }
  TemporaryFolder folder_;
};

}  // namespace vqas::test
