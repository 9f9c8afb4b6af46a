#pragma once

#include <QString>
#include <functional>

class QLabel;
class QWidget;

namespace vqas::app {

/// A text that is asked for again after each change of the language: [] { return tr("Start"); }.
using Words = std::function<QString()>;

/// Writes the texts of a widget: calls `write` now, and again after each change of the language while `widget` lives.
/// Several of one widget are called in the order in which they were given.
void in_each_language(QWidget* widget, std::function<void()> write);

/// A label that follows the language. Its mnemonic leads to `buddy`; null: it has none. The layout that takes it owns
/// it.
QLabel* label(const Words& words, QWidget* buddy = nullptr);

}  // namespace vqas::app
