#pragma once

#include <optional>

#include "model/end_session.h"
#include "model/partner_link.h"

namespace vqas::app {

/// An end that a test moves by hand.
class FakeEnd : public EndSession {
 public:
  explicit FakeEnd(EndSettings settings_of_end) : settings(std::move(settings_of_end)) {}
  void start() override {}
  void stop() override { emit ended({}); }
  EndSettings settings;
};

/// The same of a link.
class FakeLink : public PartnerLink {
 public:
  explicit FakeLink(PartnerWish wish_of_link) : wish(std::move(wish_of_link)) {}
  void start() override {}
  void trust(bool yes) override { trusted = yes; }
  PartnerWish wish;
  std::optional<bool> trusted;
};

}  // namespace vqas::app
