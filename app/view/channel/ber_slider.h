#pragma once

#include <QWidget>
#include <optional>

class QLineEdit;
class QSlider;

namespace vqas::app {

/// A bit error ratio by a slider with ten steps a decade from 1e-6 to 1e-1, whose lowest place is 0; or exactly, as a
/// number.
class BerSlider : public QWidget {
  Q_OBJECT
 public:
  explicit BerSlider(QWidget* parent = nullptr);

  double ber() const { return ber_; }
  /// Empty: there is no single ratio. Reports nothing, and leaves alone what the user is changing.
  void show_ber(std::optional<double> ber);

 signals:
  /// The user chose 0, or 1e-12 to 0.5.
  void chosen(double ber);
  /// The user wrote something else; how to write it.
  void faulty(const QString& what);

 private:
  void take_text();

  double ber_ = 0;
  QSlider* slider_;
  QLineEdit* number_;
};

}  // namespace vqas::app
