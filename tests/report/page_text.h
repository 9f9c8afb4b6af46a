#pragma once

#include <QXmlStreamReader>
#include <string>

#include "support/sample_run.h"

namespace vqas::test {

inline std::size_t times(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++count;
  return count;
}

/// The SVG of a page is XML; so is the page, except for the void tags in its head.
inline std::string xml_fault(const std::string& xml) {
  QXmlStreamReader reader(QByteArray::fromStdString(xml));
  while (!reader.atEnd()) reader.readNext();
  return reader.hasError() ? reader.errorString().toStdString() : std::string();
}

inline std::string body_of(const std::string& page) {
  const std::size_t begin = page.find("<main>");
  return page.substr(begin, page.find("</main>") + 7 - begin);
}

inline RunResults run_of_a_customer() {
  RunResults run = test::sample_run();
  run.about.uuid = "01234567-89ab-cdef-0123-456789abcdef";
  run.about.campaign = "winter";
  run.about.tags = {{"customer", "Miller & Sons"}, {"site", "north"}, {"circuit", "line 1"}};
  return run;
}

}  // namespace vqas::test
