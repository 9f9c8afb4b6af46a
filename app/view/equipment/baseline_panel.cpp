#include "view/equipment/baseline_panel.h"

#include <QVBoxLayout>
#include <QtConcurrent>
#include <utility>

#include "model/words.h"
#include "view/equipment/wiring_picture.h"
#include "view/wrapped_label.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

BaselinePanel::BaselinePanel(std::function<QString()> words, QWidget* parent)
    : QGroupBox(parent), words_(std::move(words)), state_(new WrappedLabel(14)) {
  state_->setObjectName(u"baseline_state"_s);
  auto* how = new WrappedLabel(8);
  how->show_text([] {
    return tr(
        "Cable the two ends together, as in the picture, and measure both ways. Then choose that run on the page "
        "Results and press \"Keep as baseline\". Later runs are shown beside it.");
  });
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(how);
  layout->addWidget(new WiringPicture(Wiring::ends));
  layout->addWidget(state_);
  in_each_language(this, [this] { setTitle(tr("Baseline: what the equipment itself can do")); });
  connect(&reading_, &QFutureWatcher<QString>::finished, this, [this] {
    state_->show_text([words = reading_.result()] { return told(words, 14); });
    emit shown();
  });
}

BaselinePanel::~BaselinePanel() {
  reading_.disconnect(this);
  reading_.waitForFinished();
}

void BaselinePanel::read() {
  if (words_) reading_.setFuture(QtConcurrent::run(words_));
}

}  // namespace vqas::app
