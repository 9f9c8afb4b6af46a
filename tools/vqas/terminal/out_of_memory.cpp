// Reports the size of an allocation that failed, which std::bad_alloc does not carry.
#include "terminal/out_of_memory.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "vqas/run/exit_codes.h"

namespace vqas::cli {
namespace {

// Its text needs no allocation.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(std::size_t bytes) {
    std::snprintf(text_.data(), text_.size(), "out of memory: %zu bytes were requested", bytes);
  }
  const char* what() const noexcept override { return text_.data(); }

 private:
  std::array<char, 80> text_{};
};

}  // namespace

int report_exception(const std::exception& thrown) {
  if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr) {
    std::cerr << "vqas: " << thrown.what()
              << "; give this program more memory (ulimit -v, the limit of its container or service), or give it less "
                 "to do at a time.\n";
    return kIo;
  }
  std::cerr << "vqas: internal fault: " << thrown.what() << ".\n";
  return kInternal;
}

void* allocate(std::size_t bytes) {
  for (;;) {
    if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw OutOfMemory(bytes);
    handler();
  }
}

}  // namespace vqas::cli

// C++ lets a program replace these; new[] and the other forms call them.
void* operator new(std::size_t bytes) {
  return vqas::cli::allocate(bytes);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
