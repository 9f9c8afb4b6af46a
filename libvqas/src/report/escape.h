#pragma once

#include <string>
#include <string_view>

#include "vqas/signal/plain_text.h"

namespace vqas::report {

/// Escapes `text` for HTML and SVG, between tags or in a quoted attribute: it cannot open a tag, close an attribute or
/// begin an entity. Control characters are replaced as by plain_text(); line ends stay.
inline std::string escape(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char c : plain_text(text, "\n")) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace vqas::report
