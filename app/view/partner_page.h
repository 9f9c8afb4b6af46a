#pragma once

#include <QStringList>
#include <functional>

#include "view/end_panel.h"
#include "view/link_panel.h"
#include "view/page_area.h"

class QPushButton;
class QRadioButton;

namespace vqas::app {

class WrappedLabel;

/// A line between this laptop and a partner's end.
struct PartnerLine {
  QString node_a, node_b;
  QString access_a, access_b;        ///< paths of pairing files; may be empty
  std::map<QString, QString> codes;  ///< by address
};

/// Both ends of a line: this laptop and the partner's. Either this one measures, or it waits for the partner to
/// measure.
class PartnerPage : public Page {
  Q_OBJECT
 public:
  struct Services {
    EndPanel::MakeEnd make_end;
    LinkPanel::MakeLink make_link;
  };
  explicit PartnerPage(const Services& services, QWidget* parent = nullptr);

  /// This laptop waits for the partner to measure; else it measures.
  void set_waiting(bool waiting);
  /// This laptop measures over this line, which is opened at once; an end that is running stays as it is.
  void open_line(const QString& line);
  /// Offers these lines of sound devices.
  void offer_lines(const QStringList& lines) { own_->offer_lines(lines); }
  /// This laptop's end has its line open.
  bool uses_line() const { return own_->is_running(); }

 signals:
  /// This laptop's end takes its line, or gives it back.
  void line_used(bool used);
  /// Both ends are ready, and the user wants to measure between them.
  void measure_requested(const vqas::app::PartnerLine& line);

 private:
  void refresh();
  void measure();

  QRadioButton* measuring_;
  QRadioButton* waiting_;
  EndPanel* own_;
  LinkPanel* partner_;
  QPushButton* measure_;
  WrappedLabel* hint_;
};

}  // namespace vqas::app
