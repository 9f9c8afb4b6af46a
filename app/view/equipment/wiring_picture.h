#pragma once

#include <QWidget>

namespace vqas::app {

/// What is joined to what.
enum class Wiring {
  loop,  ///< the output of one device to its own input
  ends,  ///< the output of each of two ends to the input of the other one
};

/// A drawing of cables between sound devices.
class WiringPicture : public QWidget {
  Q_OBJECT
 public:
  explicit WiringPicture(Wiring wiring, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  double box_width() const;

  const Wiring wiring_;
};

}  // namespace vqas::app
