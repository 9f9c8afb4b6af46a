#pragma once

namespace vqas {

/// Estimated MOS of a conversation from the transmission rating factor R (ITU-T G.107, Annex B, equation B-4): 1 at R
/// <= 0, 4.5 at R >= 100. All of this header is re-entrant.
double mos_of_rating(double rating);

/// The inverse of mos_of_rating() for R from 6.5 to 100, where it rises; clamped to these ends.
double rating_of_mos(double mos);

/// R of a connection with every parameter at its default (ITU-T G.107, table 2), whose MOS is 4.41: the ceiling of the
/// model.
inline constexpr double kDefaultRating = 93.2;

/// Effective equipment impairment factor of a line with listening quality `mos_lqo`: the default R minus the line's R
/// (the method of ITU-T P.834 with a single measurement and without a reference codec). 0 when the MOS is above the
/// model's ceiling.
double equipment_impairment(double mos_lqo);

/// Longer delays count as this value.
inline constexpr double kLongestConversationDelay_ms = 2000;

/// Properties of a path that matter in a conversation but not in listening.
struct ConversationPath {
  double one_way_delay_ms = 0;  ///< mouth to ear, Ta; the same both ways; 0..2000
  double echo_loss_db = 65;     ///< talker echo loudness rating, TELR; 65 is the default; 5..65, or infinity: no echo
};

/// An estimate of conversational quality, never a measurement.
struct ConversationEstimate {
  double ie_eff = 0;        ///< equipment impairment, from the MOS
  double idd = 0;           ///< impairment by delay alone
  double idte = 0;          ///< impairment by the talker's own echo; 0 without an echo
  double idle = 0;          ///< impairment by the listener's echo, beyond that in the default R; 0 without an echo
  double rating = 0;        ///< R
  double mos_cqe = 1;       ///< MOS-CQE (ITU-T P.800.1)
  bool at_ceiling = false;  ///< the MOS-LQO was above the model's ceiling and was lowered to it
};

/// R = 93.2 - Ie,eff - Idd - Idte - Idle by ITU-T G.107, clause 7.4, with a round trip of twice the delay and all other
/// parameters at their defaults. `mos_lqo` is a mean on the narrowband scale, 1..4.55.
ConversationEstimate conversational_quality(double mos_lqo, const ConversationPath& path);

}  // namespace vqas
