#include "vqas/signal/result.h"

#include <cstdio>
#include <cstdlib>

namespace vqas {

void abort_without_value(const Error* error) {
  std::fprintf(stderr, "vqas: fault of the program: the value of a Result was taken that has none: %s\n",
               error != nullptr ? error->message.c_str() : "it was lost by an exception");
  std::abort();
}

void abort_without_error() {
  std::fputs("vqas: fault of the program: the error of a Result was taken that has none\n", stderr);
  std::abort();
}

}  // namespace vqas
