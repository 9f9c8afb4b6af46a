#pragma once

#include <string>

#include "vqas/relay/live_control.h"

namespace vqas {

/// What the keys of a running relay do, without the terminal they are pressed on. For one thread.
class LiveKeys {
 public:
  /// `live` outlives this.
  explicit LiveKeys(LiveControl& live) : live_(live) {}

  /// Does what a key stands for and says what was done, for people; the keys' list for an unknown one. What a key
  /// changes it changes in each direction from what is done there: tenfold is tenfold in both.
  std::string press(char key);
  static std::string help();

 private:
  std::vector<End> sides() const;
  std::string step_ber(double factor);
  std::string lose_more();
  std::string set(const std::string& json, const std::string& done);
  std::string with_direction(const std::string& done) const;

  LiveControl& live_;
  RelayTarget target_;
};

}  // namespace vqas
