#pragma once

#include <QFutureWatcher>
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
    /// Names of lines of this machine's sound devices; called beside the window's thread. Empty: none are offered.
    std::function<QStringList()> find_lines = {};
  };
  explicit PartnerPage(const Services& services, QWidget* parent = nullptr);
  ~PartnerPage() override;

  /// This laptop waits for the partner to measure; else it measures.
  void set_waiting(bool waiting);
  /// Looks for sound devices once.
  void find_lines();

 signals:
  /// Both ends are ready, and the user wants to measure between them.
  void measure_requested(const vqas::app::PartnerLine& line);

 private:
  void refresh();
  void measure();

  std::function<QStringList()> find_lines_;
  QFutureWatcher<QStringList> finding_;
  QRadioButton* measuring_;
  QRadioButton* waiting_;
  EndPanel* own_;
  LinkPanel* partner_;
  QPushButton* measure_;
  WrappedLabel* hint_;
};

}  // namespace vqas::app
