#include "view/language.h"

#include <QEvent>
#include <QLabel>
#include <utility>
#include <vector>

namespace vqas::app {
namespace {

/// Qt sends the event to the windows, and each widget passes it on to its children.
class Follower : public QObject {
 public:
  explicit Follower(QWidget* widget) : QObject(widget) { widget->installEventFilter(this); }

  void add(std::function<void()> write) { writes_.push_back(std::move(write)); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == parent() && event->type() == QEvent::LanguageChange)
      for (const auto& write : writes_) write();
    return QObject::eventFilter(watched, event);
  }

 private:
  std::vector<std::function<void()>> writes_;  // in the order in which they came
};

Follower& follower_of(QWidget* widget) {
  for (QObject* const child : widget->children())
    if (auto* const found = dynamic_cast<Follower*>(child)) return *found;
  return *new Follower(widget);
}

}  // namespace

void in_each_language(QWidget* widget, std::function<void()> write) {
  write();
  follower_of(widget).add(std::move(write));
}

QLabel* label(const Words& words, QWidget* buddy) {
  auto* made = new QLabel;
  made->setBuddy(buddy);
  in_each_language(made, [made, words] { made->setText(words()); });
  return made;
}

}  // namespace vqas::app
