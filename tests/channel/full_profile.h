#pragma once

#include "vqas/channel/profile.h"
#include "vqas/channel/profile_text.h"

namespace vqas::test {

/// A valid profile of which no part has its default.
inline Profile one_of_everything() {
  Profile profile = plain_profile();
  profile.name = "all";
  profile.summary = "Says \"all\" \\ there is";
  profile.line.law = G711Law::a;
  profile.line.delay_s = 1.5;
  profile.line.gain_db = -3.25;
  profile.line.circuit_noise_dbm0p = -61;
  profile.line.gain_ripple_db = 0.3;
  profile.line.sender_clock_ppm = 12.5;
  profile.line.receiver_clock_ppm = -7;
  profile.line.fresh_phase = true;
  profile.band = Band::long_distance;
  profile.line.band_limit = true;
  profile.analogue = {true, -30, 12, 60, -45, -6, 25, 0.3};
  profile.error_mask = 0x81;
  profile.errors = {VaryingRate{{{5, 1e-6, 1e-6}, {2.5, 1e-6, 1e-2}}, true}, Bursts{1e-6, 1e-3, 0.5, 10, false},
                    GilbertElliott{1e-7, 0.1, 5e5, 300}, ErrorsAt{{0.25, 1, 7.125}}};
  profile.release = LinkRelease{2e-3, 4, 6, 1e-8};
  profile.interruptions = {{Fill::hold, 1, 0.02, 3}, {Fill::zeros, 2, 0.5, 0}};
  profile.slips = {{3, -8, 0}, {4, 80, 2}};
  PacketConditions packets;
  packets.packet_ms = 10;
  packets.loss = LossKind::gilbert;
  packets.loss_ratio = 0.03;
  packets.mean_loss_packets = 3;
  packets.jitter_ms = 4;
  packets.keeps_order = true;
  packets.reorder_ratio = 0.01;
  packets.reorder_ms = 25;
  packets.duplicate_ratio = 0.02;
  packets.buffer_ms = 80;
  packets.concealment = Concealment::repeat;
  packets.bottleneck = Bottleneck{2000, Scheduling::reservation, 384, 256, 2, 40};
  profile.packets = packets;
  return profile;
}

}  // namespace vqas::test
