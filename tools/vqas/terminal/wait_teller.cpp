#include "terminal/wait_teller.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <iostream>

#include "terminal/plain_streams.h"

namespace vqas::cli {
namespace {

constexpr double kStep_s = 5;

}  // namespace

WaitTeller::WaitTeller() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void WaitTeller::tell(const MarkWait& wait) {
  clear();
  const std::string from = name_of(wait.from), to = name_of(other_end(wait.from));
  const std::string advice = what_to_look_at(wait.heard, to, from);
  if (told_.emplace(wait.from, advice).second) {
    std::cerr << fmt::format("vqas: {} ({:.0f} s of its wait are left)\n", in_words(wait), wait.left_s);
    told_left_s_ = wait.left_s;
    return;
  }
  const std::string left =
      fmt::format("vqas: {} still hears nothing of {}; {:.0f} s left", to, from, std::max(wait.left_s, 0.0));
  if (terminal_) {
    std::cerr << left << std::flush;
    shown_ = true;
  } else if (wait.left_s > told_left_s_ || told_left_s_ - wait.left_s >= kStep_s) {
    std::cerr << left << "\n";
    told_left_s_ = wait.left_s;
  }
}

void WaitTeller::clear() {
  if (shown_) move_cursor(std::cerr, kToLineStart);
  shown_ = false;
}

}  // namespace vqas::cli
