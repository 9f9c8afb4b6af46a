#pragma once

#include <QGroupBox>
#include <functional>
#include <memory>
#include <optional>

#include "model/end_session.h"
#include "view/language.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace vqas::app {

class WrappedLabel;

/// This laptop as one end of a line: its line, its name, address, fingerprint and code, and who holds it.
class EndPanel : public QGroupBox {
  Q_OBJECT
 public:
  using MakeEnd = std::function<std::unique_ptr<EndSession>(const EndSettings&)>;
  explicit EndPanel(MakeEnd make_end, QWidget* parent = nullptr);
  ~EndPanel() override;

  /// The partner measures and this end waits; else it is for this window's own measurements. Changes nothing while an
  /// end is running.
  void set_waiting(bool waiting);
  /// Offers these lines, "audio:USB%20Audio?host=alsa".
  void offer_lines(const QStringList& lines);
  void set_line(const QString& line);
  /// 0: a free one.
  void set_port(int port);
  /// Becomes an end, or stops being one.
  void toggle();

  bool is_running() const { return session_ != nullptr; }
  /// Nothing before it is ready.
  const std::optional<EndReady>& ready_end() const { return ready_; }
  End end() const;

 signals:
  /// It begins, is ready, or is no longer.
  void changed();

 private:
  void start();
  void show_ready(const EndReady& end);
  void show_ended(const QString& why);
  void show_holder(const QString& by);
  void refresh();
  void save_pairing(const QString& path);
  void write_texts();
  QLabel* add_fact(const Words& caption, const QString& name);

  MakeEnd make_end_;
  std::unique_ptr<EndSession> session_;
  std::optional<EndReady> ready_;
  std::optional<QString> holder_;  // as shown; nothing before the end is ready
  bool waiting_ = false;
  QStringList offered_;
  QFormLayout* form_;
  QComboBox* end_;
  QComboBox* line_;
  QSpinBox* port_;
  QPushButton* toggle_;
  QPushButton* save_;
  WrappedLabel* state_;
  WrappedLabel* told_;
  QLabel* address_;
  QLabel* words_;
  QLabel* code_;
};

}  // namespace vqas::app
