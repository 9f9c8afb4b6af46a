#include "view/channel/ber_slider.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <cmath>

#include "model/channel_model.h"
#include "view/language.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kStepsOfADecade = 10, kDecades = 5;
constexpr double kLowest = 1e-6;
constexpr int kNumberLetters = 9;

double ber_at(int step) {
  // With two digits, as it is shown.
  return step == 0 ? 0 : ber_words(kLowest * std::pow(10, static_cast<double>(step - 1) / kStepsOfADecade)).toDouble();
}

int step_of(double ber) {
  if (ber < kLowest / 2) return 0;
  const int step = 1 + static_cast<int>(std::lround(kStepsOfADecade * std::log10(ber / kLowest)));
  return std::clamp(step, 1, 1 + kStepsOfADecade * kDecades);
}

}  // namespace

BerSlider::BerSlider(QWidget* parent) : QWidget(parent), slider_(new QSlider(Qt::Horizontal)), number_(new QLineEdit) {
  slider_->setObjectName(u"ber_slider"_s);
  slider_->setRange(0, 1 + kStepsOfADecade * kDecades);
  slider_->setPageStep(kStepsOfADecade);
  slider_->setTickPosition(QSlider::TicksBelow);
  slider_->setTickInterval(kStepsOfADecade);
  number_->setObjectName(u"ber_number"_s);
  number_->setFixedWidth(number_->fontMetrics().averageCharWidth() * kNumberLetters);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(slider_, 1);
  row->addWidget(number_);
  setFocusProxy(slider_);
  in_each_language(this, [this] {
    slider_->setAccessibleName(tr("Bit error ratio, logarithmic"));
    slider_->setToolTip(
        tr("From 1e-6 to 1e-1, and 0 at the left end; the arrow keys take a tenth of a decade, Page up and down a "
           "decade. Speech begins to suffer from 1e-6 to 1e-3"));
    number_->setAccessibleName(tr("Bit error ratio as a number"));
    number_->setToolTip(tr("0, or a number from 1e-12 to 0.5"));
  });
  show_ber(0);
  connect(slider_, &QSlider::valueChanged, this, [this](int step) {
    ber_ = ber_at(step);
    number_->setText(ber_words(ber_));
    emit chosen(ber_);
  });
  connect(number_, &QLineEdit::editingFinished, this, &BerSlider::take_text);
}

void BerSlider::show_ber(std::optional<double> ber) {
  if (slider_->isSliderDown() || number_->isModified()) return;
  const QSignalBlocker silent(slider_);
  ber_ = ber.value_or(0);
  if (ber) slider_->setValue(step_of(*ber));
  number_->setText(ber ? ber_words(*ber) : tr("profile"));
}

void BerSlider::take_text() {
  if (!number_->isModified()) return;
  bool ok = false;
  const double typed = QLocale::c().toDouble(number_->text().trimmed().replace(u',', u'.'), &ok);
  number_->setModified(false);
  if (!ok || !(typed == 0 || (typed >= 1e-12 && typed <= 0.5))) {
    emit faulty(tr("Bit error ratio: write 0, or a number from 1e-12 to 0.5, for example 1e-5"));
    return number_->setText(ber_words(ber_));
  }
  show_ber(typed);
  number_->setText(QString::number(typed, 'g', 6).replace(u"e-0"_s, u"e-"_s));
  emit chosen(typed);
}

}  // namespace vqas::app
