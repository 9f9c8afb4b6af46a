#pragma once

#include <QString>
#include <string>

namespace vqas::app {

// The texts of the libraries, and of the parts that work for them, are English. A catalogue has them by their English
// source with placeholders, as the translator has those of the window: "no packet has arrived for %1 s". What stands in
// the place of a placeholder is translated in the same way, and a number is written in the way of the language. Pure
// but for the language of the program; re-entrant.

/// The text in the language of the program. What the catalogue does not have, a name for example, stays as it is.
QString translated(const QString& english);
QString translated(const std::string& english);

/// The same for a message to a person: what the catalogue does not have is shown as a quotation.
QString message_words(const QString& english);
QString message_words(const std::string& english);

/// The English sources of the catalogue, for tests.
QStringList phrases();

}  // namespace vqas::app
