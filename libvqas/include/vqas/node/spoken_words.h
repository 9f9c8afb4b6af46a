#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

// Secrets and fingerprints as words that two people can compare on the telephone. All functions are re-entrant.

/// One word of a list of 256 for each byte, with spaces between them.
std::string in_spoken_words(std::span<const std::uint8_t> bytes);

/// The first 96 bits of a fingerprint "sha256:…" as twelve words: to imitate them takes 2^96 certificates. Empty if it
/// is not a fingerprint.
std::string fingerprint_in_words(const std::string& fingerprint);

/// A random code of six words, "amber-lion-…", 48 bits: enough for a token, because a node blocks an address after five
/// wrong ones in a minute. Fails with io when the system has no random numbers.
Result<std::string> new_spoken_code();

/// The code that a person typed: in lower case, with "-" between the words, whatever separated them. Text without a
/// word of the list is unchanged but for spaces around it, because it may be another token. Fails with bad_input and
/// names the word that is not in the list, or says how many words are missing.
Result<std::string> typed_code(const std::string& typed);

}  // namespace vqas
