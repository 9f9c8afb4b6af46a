#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vqas/channel/g711.h"
#include "vqas/channel/profile.h"

namespace vqas {

/// Overwrites octets during interruptions. No allocation in process(); for one thread.
class Interrupter {
 public:
  Interrupter(const std::vector<Interruption>& interruptions, G711Law law);

  /// Octets until an interruption starts or ends; a block must not reach beyond it.
  std::uint64_t octets_left() const;
  /// True if the next octets will be overwritten.
  bool is_open() const { return open_window() != nullptr; }
  void process(std::span<std::uint8_t> octets);
  /// Sets the code for silence; before the first octet.
  void set_law(G711Law law);

 private:
  struct Window {
    Fill fill;
    std::uint64_t start, length, every;  // octets; every 0: once
  };
  const Window* open_window() const;
  std::uint8_t octet_for(Fill fill) const;

  std::vector<Window> windows_;
  std::uint8_t idle_;
  std::uint8_t last_;  // before the interruption
  std::uint64_t now_ = 0;
};

/// The code for silence, which an idle line carries.
std::uint8_t idle_octet(G711Law law);

}  // namespace vqas
