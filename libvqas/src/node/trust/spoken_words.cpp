#include "vqas/node/spoken_words.h"

#include <fmt/format.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <vector>

#include "vqas/node/peers.h"

namespace vqas {
namespace {

// Common words of two or three syllables, most of them; no two differ in one letter only, and none is spelt in two
// ways. Their order is part of the fingerprints that people compare: it never changes.
constexpr std::array<std::string_view, 256> kWords{
    {"acorn",   "album",   "alpine",  "amber",   "anchor",   "ankle",    "apple",    "april",   "arrow",   "atlas",
     "autumn",  "badge",   "bagel",   "bamboo",  "banjo",    "barrel",   "basket",   "beacon",  "bishop",  "blanket",
     "bottle",  "branch",  "bridge",  "bronze",  "bubble",   "bucket",   "buffalo",  "butter",  "cabin",   "cactus",
     "camera",  "canal",   "canyon",  "carbon",  "castle",   "cedar",    "chapel",   "cherry",  "chicken", "cinema",
     "circus",  "clover",  "cobalt",  "coffee",  "comet",    "copper",   "coral",    "cotton",  "cowboy",  "crayon",
     "cricket", "crystal", "cuckoo",  "daisy",   "dance",    "delta",    "dentist",  "desert",  "diamond", "dinner",
     "doctor",  "dolphin", "domino",  "donkey",  "dragon",   "drum",     "eagle",    "early",   "easel",   "echo",
     "eleven",  "elbow",   "emerald", "engine",  "envelope", "evening",  "fabric",   "falcon",  "farmer",  "feather",
     "ferry",   "fiddle",  "finger",  "flame",   "forest",   "fossil",   "fox",      "friday",  "frost",   "galaxy",
     "garden",  "giant",   "giraffe", "glacier", "glove",    "goblin",   "gold",     "gorilla", "granite", "guitar",
     "hammer",  "harbour", "hazel",   "helmet",  "holiday",  "honey",    "hotel",    "hunter",  "husky",   "igloo",
     "indigo",  "insect",  "island",  "ivory",   "jaguar",   "jelly",    "jigsaw",   "jockey",  "juniper", "kangaroo",
     "kettle",  "kidney",  "kitchen", "kiwi",    "koala",    "ladder",   "lagoon",   "lamp",    "lantern", "lemon",
     "leopard", "library", "lily",    "lion",    "lizard",   "lobster",  "lunch",    "magnet",  "mango",   "maple",
     "marble",  "meadow",  "melon",   "mermaid", "mirror",   "morning",  "mountain", "mustard", "napkin",  "needle",
     "nickel",  "nine",    "noodle",  "nurse",   "nutmeg",   "oatmeal",  "ocean",    "octopus", "olive",   "onion",
     "opera",   "orange",  "orchid",  "organ",   "otter",    "oxygen",   "oyster",   "painter", "palace",  "panda",
     "paper",   "parrot",  "peanut",  "pelican", "pepper",   "piano",    "picnic",   "pigeon",  "pilot",   "pirate",
     "planet",  "poem",    "polar",   "potato",  "pumpkin",  "puppet",   "purple",   "pyramid", "quarry",  "queen",
     "quill",   "rabbit",  "radio",   "rainbow", "raven",    "ribbon",   "river",    "robin",   "rocket",  "rodeo",
     "ruby",    "saddle",  "salmon",  "sandal",  "saturn",   "scarf",    "school",   "shadow",  "silver",  "siren",
     "skate",   "soda",    "soldier", "spider",  "spoon",    "squirrel", "stadium",  "sugar",   "summer",  "sunset",
     "swan",    "table",   "teapot",  "temple",  "tennis",   "ticket",   "tiger",    "tomato",  "tower",   "tractor",
     "trumpet", "tulip",   "tunnel",  "turtle",  "twelve",   "umbrella", "unicorn",  "valley",  "vanilla", "velvet",
     "violin",  "volcano", "vulture", "waffle",  "wagon",    "walnut",   "water",    "whale",   "willow",  "window",
     "wolf",    "yellow",  "yogurt",  "zebra",   "zero",     "zipper"}};

constexpr std::size_t kFingerprintWords = 12, kCodeWords = 6;

bool is_word(std::string_view text) {
  return std::ranges::find(kWords, text) != kWords.end();
}

// In lower case, split at everything that is no letter.
std::vector<std::string> letters_in(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    const bool upper = c >= 'A' && c <= 'Z', letter = upper || (c >= 'a' && c <= 'z');
    if (letter)
      words.back() += static_cast<char>(upper ? c + ('a' - 'A') : c);
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

}  // namespace

std::string in_spoken_words(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    if (!text.empty()) text += ' ';
    text += kWords.at(byte);
  }
  return text;
}

std::string fingerprint_in_words(const std::string& fingerprint) {
  if (!is_fingerprint(fingerprint)) return {};
  const char* digits = fingerprint.data() + fingerprint.find(':') + 1;
  std::array<std::uint8_t, kFingerprintWords> bytes{};
  for (std::uint8_t& byte : bytes) {
    std::from_chars(digits, digits + 2, byte, 16);
    digits += 2;
  }
  return in_spoken_words(bytes);
}

Result<std::string> new_spoken_code() {
  std::array<std::uint8_t, kCodeWords> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
    return Error{ErrorCode::io, "the system provides no random numbers"};
  std::string code = in_spoken_words(bytes);
  std::ranges::replace(code, ' ', '-');
  return code;
}

Result<std::string> typed_code(const std::string& typed) {
  const std::size_t first = typed.find_first_not_of(" \t\r\n"), last = typed.find_last_not_of(" \t\r\n");
  const std::string whole = first == std::string::npos ? std::string() : typed.substr(first, last - first + 1);
  const auto words = letters_in(whole);
  if (std::ranges::none_of(words, is_word)) return whole;
  for (const std::string& word : words) {
    if (!is_word(word))
      return Error{ErrorCode::bad_input, fmt::format("\"{}\" is not a word of a code; ask for this word again", word)};
  }
  if (words.size() != kCodeWords)
    return Error{
        ErrorCode::bad_input,
        fmt::format("a code has {} words, and these are {}; ask for the whole code again", kCodeWords, words.size())};
  return fmt::format("{}", fmt::join(words, "-"));
}

}  // namespace vqas
