#include "vqas/run/duplex.h"

#include "signal/words.h"

namespace vqas {
namespace {

constexpr Words<Duplex, 3> kDuplex{{{"auto", Duplex::automatic}, {"both", Duplex::both}, {"one", Duplex::one}}};

}  // namespace

std::string_view name_of(Duplex duplex) {
  return word_of(kDuplex, duplex);
}

std::optional<Duplex> duplex_from_string(std::string_view name) {
  return value_of(kDuplex, name);
}

}  // namespace vqas
