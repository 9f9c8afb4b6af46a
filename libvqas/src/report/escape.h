#pragma once

#include <string>
#include <string_view>

namespace vqas::report {

/// `text` for HTML and SVG, between tags or in a quoted attribute: nothing in it can open a tag, close an attribute or
/// begin an entity. Control characters other than line ends become spaces.
inline std::string escape(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
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
        safe += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
    }
  }
  return safe;
}

}  // namespace vqas::report
