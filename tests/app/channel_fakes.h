#pragma once

#include <vector>

#include "model/channel_session.h"

namespace vqas::app {

/// A channel that a test moves by hand.
class FakeChannel : public ChannelSession {
 public:
  void start() override {}
  void change(const RelayChange& change) override { changes.push_back(change); }
  void burst(std::optional<End>, quint32 bits) override { bursts.push_back(bits); }
  std::vector<RelayChange> changes;
  std::vector<quint32> bursts;
};

/// A call with these directions.
inline RelayedFigures call(const std::vector<End>& ways, bool packets) {
  RelayedFigures figures;
  for (const End from : ways) {
    RelayedWay way;
    way.from = from;
    way.profile = "back-to-back";
    way.ber = 1e-4;
    way.delay_ms = 40;
    way.bits = 1'000'000;
    way.errors = 98;
    way.measured_ber = 9.8e-5;
    way.ber_low_95 = 8e-5;
    way.ber_high_95 = 1.2e-4;
    way.bursts = 3;
    if (packets) way.packets = 500, way.dropped = 7, way.loss = 0.02;
    figures.ways.push_back(way);
  }
  return figures;
}

}  // namespace vqas::app
