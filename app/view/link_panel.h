#pragma once

#include <QGroupBox>
#include <functional>
#include <memory>
#include <optional>

#include "model/partner_link.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace vqas::app {

class WrappedLabel;

/// The partner's end: its address and code, the question whether to trust it, and how the link stands.
class LinkPanel : public QGroupBox {
  Q_OBJECT
 public:
  using MakeLink = std::function<std::unique_ptr<PartnerLink>(const PartnerWish&)>;
  explicit LinkPanel(MakeLink make_link, QWidget* parent = nullptr);
  ~LinkPanel() override;

  /// Connects, or leaves the partner.
  void toggle();
  /// Nothing while no partner answers.
  const std::optional<PartnerSeen>& partner() const { return partner_; }
  QString pairing_file() const;

 signals:
  /// A partner answers, or no longer.
  void changed();

 private:
  void start();
  void leave();
  void ask_to_trust(const QString& fingerprint, const QString& words);
  void show_partner(const PartnerSeen& partner);
  void show_trouble(const PartnerTrouble& trouble);
  void refresh();
  void write_texts();

  MakeLink make_link_;
  std::unique_ptr<PartnerLink> link_;
  std::optional<PartnerSeen> partner_;
  bool asking_ = false;
  QFormLayout* form_;
  QLineEdit* address_;
  QLineEdit* code_;
  QLineEdit* pairing_;
  QPushButton* toggle_;
  QPushButton* trust_;
  QPushButton* distrust_;
  WrappedLabel* state_;
  QLabel* words_;
  QLabel* expected_;
};

}  // namespace vqas::app
