#pragma once

#include <QScrollArea>
#include <vector>

#include "model/findings.h"

class QLabel;

namespace vqas::app {

/// What the results mean, in words, and what to do next: a paragraph for each direction.
class FindingsView : public QScrollArea {
  Q_OBJECT
 public:
  explicit FindingsView(QWidget* parent = nullptr);

  void show_findings(const std::vector<DirectionFinding>& findings);

 private:
  void write_texts();

  std::vector<DirectionFinding> findings_;
  QLabel* text_;
};

}  // namespace vqas::app
