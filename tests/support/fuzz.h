#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace vqas::test {

/// A whole number from the environment.
inline std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): tests read it in one thread
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Damages texts like a bad peer or a bad disk: bytes are flipped, cut, doubled, moved between texts, or replaced by
/// text that parsers often mishandle. The same seed gives the same texts.
class Mutator {
 public:
  Mutator(std::uint64_t seed, std::vector<std::string> originals) : random_(seed), originals_(std::move(originals)) {}

  std::string next() {
    std::string text = original();
    for (std::size_t times = 1 + below(6); times > 0; --times) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
  const std::string& original() { return originals_[below(originals_.size())]; }

  void change(std::string& text) {
    static const std::vector<std::string> nasty{"{",       "}",
                                                "[",       "]",
                                                "\"",      "\\",
                                                ":",       ",",
                                                "null",    "-1",
                                                "1e999",   "1.5",
                                                "true",    "\xff",
                                                "\n",      "\\u0000",
                                                "0",       "65536",
                                                "\\ud800", "4294967296",
                                                "\"id\"",  "18446744073709551616"};
    const std::size_t at = below(text.size() + 1), length = below(text.size() - at + 1);
    switch (below(6)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        return;
      case 1:
        text.erase(at, 1 + length % 20);
        return;
      case 2:
        text.insert(at, nasty[below(nasty.size())]);
        return;
      case 3:
        text.insert(at, text.substr(at, length % 200));
        return;
      case 4: {
        const std::string& other = original();
        text.insert(at, other.substr(below(other.size() + 1), below(100)));
        return;
      }
      default:
        if (below(8) == 0) text.resize(at);
    }
  }

  std::mt19937_64 random_;
  std::vector<std::string> originals_;
};

}  // namespace vqas::test
