#include "vqas/signal/result.h"

#include <cstdio>
#include <cstdlib>

namespace vqas {

void abort_without_value(const Error* error) {
  std::fprintf(stderr, "vqas: internal error: value() was called on a Result without a value: %s\n",
               error != nullptr ? error->message.c_str() : "it was lost in an exception");
  std::abort();
}

void abort_without_error() {
  std::fputs("vqas: internal error: error() was called on a Result without an error\n", stderr);
  std::abort();
}

}  // namespace vqas
