#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

namespace vqas::scoring {

/// How often each value was added: a table of open addresses that grows with the number of different values, which are
/// few in a recording of 16 bits. For one thread.
class ValueCounts {
 public:
  ValueCounts() : entries_(kFirstSize) {}

  /// `value` is a number; 0 and -0 are one value.
  void add(float value) {
    Entry& entry = find(entries_, value + 0.0F);
    if (entry.count++ > 0) return;
    entry.value = value + 0.0F;
    if (++used_ > entries_.size() / 2) grow();
  }
  /// How many values were added that are one of the `kinds` most frequent.
  std::size_t most_frequent(std::size_t kinds) const {
    std::vector<std::size_t> counts;
    counts.reserve(entries_.size());
    for (const Entry& entry : entries_) counts.push_back(entry.count);
    const auto last = counts.begin() + static_cast<std::ptrdiff_t>(std::min(kinds, counts.size()));
    std::partial_sort(counts.begin(), last, counts.end(), std::greater<>());
    std::size_t sum = 0;
    for (auto count = counts.begin(); count != last; ++count) sum += *count;
    return sum;
  }

 private:
  struct Entry {
    float value = 0;
    std::uint32_t count = 0;  ///< 0: the place is free
  };
  static constexpr std::size_t kFirstSize = 1024;  // a power of two, as every size

  static Entry& find(std::vector<Entry>& entries, float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    // Fibonacci hashing (D. Knuth, "The Art of Computer Programming" 3, section 6.4), upper bits folded down.
    std::uint64_t place = bits * std::uint64_t{0x9E3779B97F4A7C15};
    place ^= place >> 32;
    while (entries[place & (entries.size() - 1)].count > 0 && entries[place & (entries.size() - 1)].value != value)
      ++place;
    return entries[place & (entries.size() - 1)];
  }
  void grow() {
    std::vector<Entry> larger(4 * entries_.size());
    for (const Entry& entry : entries_) {
      if (entry.count > 0) find(larger, entry.value) = entry;
    }
    entries_ = std::move(larger);
  }

  std::vector<Entry> entries_;
  std::size_t used_ = 0;
};

}  // namespace vqas::scoring
