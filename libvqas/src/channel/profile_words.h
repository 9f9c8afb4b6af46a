#pragma once

#include "signal/words.h"
#include "vqas/channel/profile.h"

// The words for choices in a profile's TOML, shared by reader and writer.
namespace vqas::profile_words {

inline constexpr Words<G711Law, 2> kLaws{{{"mu", G711Law::mu}, {"a", G711Law::a}}};
inline constexpr Words<Band, 3> kBands{
    {{"full", Band::full}, {"g712", Band::g712}, {"long-distance", Band::long_distance}}};
inline constexpr Words<BitMask, 4> kMasks{
    {{"all", kAllBits}, {"sign", kSignBit}, {"segment", kSegmentBits}, {"step", kStepBits}}};
inline constexpr Words<Fill, 4> kFills{
    {{"idle", Fill::idle}, {"ones", Fill::ones}, {"zeros", Fill::zeros}, {"hold", Fill::hold}}};
inline constexpr Words<LossKind, 4> kLosses{{{"none", LossKind::none},
                                             {"random", LossKind::random},
                                             {"gilbert", LossKind::gilbert},
                                             {"pattern", LossKind::pattern}}};
inline constexpr Words<Concealment, 3> kConcealments{
    {{"silence", Concealment::silence}, {"repeat", Concealment::repeat}, {"pitch", Concealment::pitch}}};
inline constexpr Words<Scheduling, 3> kSchedulings{
    {{"fifo", Scheduling::fifo}, {"fair", Scheduling::fair}, {"reservation", Scheduling::reservation}}};

}  // namespace vqas::profile_words
