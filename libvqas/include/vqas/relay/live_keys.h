#pragma once

#include <string>

#include "vqas/relay/live_control.h"

namespace vqas {

/// The actions of keys pressed while a relay runs; reads no terminal itself. For one thread.
class LiveKeys {
 public:
  /// `live` outlives this.
  explicit LiveKeys(LiveControl& live) : live_(live) {}

  /// Does what the key stands for and returns a description for people; for an unknown key, the list of keys. Each
  /// direction is changed relative to its own value: tenfold is tenfold in both.
  std::string press(char key);
  static std::string help();  ///< the keys and what they do, one a line

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
