#pragma once

#include <QWidget>
#include <vector>

#include "model/findings.h"

namespace vqas::app {

/// MOS in the order of the run: each measurement, and the mean so far.
class TimeView : public QWidget {
  Q_OBJECT
 public:
  explicit TimeView(QWidget* parent = nullptr);

  void show_results(std::vector<TimeSeries> series);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void write_texts();

  std::vector<TimeSeries> series_;
};

}  // namespace vqas::app
