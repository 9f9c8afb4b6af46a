// The C interface: a sequence of calls, decoded from the bytes, with any numbers, sizes and null pointers in it.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "fuzz.h"
#include "vqas/vqas.h"

namespace {

using vqas::fuzz::Input;
using vqas::fuzz::require;

constexpr int kMostCalls = 40;
// A score of more speech takes tenths of a second under sanitizers.
constexpr std::size_t kMostScored = 6000;
constexpr std::size_t kMostSamples = 20000;

template <typename Handle, void (*Destroy)(Handle*)>
struct Owner {
  Handle* handle = nullptr;
  bool spent = false;  // after VQAS_NO_MEMORY or VQAS_INTERNAL it can only be destroyed
  ~Owner() { Destroy(handle); }
  void replace(Handle* with) {
    Destroy(handle);
    handle = with;
    spent = false;
  }
};

struct Handles {
  Owner<vqas_scorer, vqas_scorer_destroy> scorer;
  Owner<vqas_line, vqas_line_destroy> line;
  Owner<vqas_detector, vqas_detector_destroy> detector;
  Owner<vqas_receiver, vqas_receiver_destroy> receiver;
  Owner<vqas_sampler, vqas_sampler_destroy> sampler;
};

double number(Input& input) {
  static constexpr std::array kUsual{0.0, 1.0, -1.0, 0.05, 0.5, 8000.0, 1e-3, 1e300, -1e18, 4.2, 14400.0, 0.99};
  const std::uint8_t choice = input.byte();
  if (choice < kUsual.size()) return kUsual[choice];
  if (choice == 12) return NAN;
  if (choice == 13) return INFINITY;
  return choice % 2 == 0 ? input.take<double>() : input.take<std::int16_t>() * 1e-3;
}

std::vector<float> samples(Input& input, std::size_t most) {
  std::vector<float> all(input.below_or_equal(most));
  const int shape = input.byte() % 4;
  const double pitch = 1 + input.byte();
  std::uint32_t noise = input.take<std::uint32_t>() | 1U;
  for (std::size_t i = 0; i < all.size(); ++i) {
    noise = noise * 1664525U + 1013904223U;
    const double random = static_cast<double>(noise >> 8U) / (1U << 24U) - 0.5;
    const double tone = 0.3 * std::sin(static_cast<double>(i) * pitch * 0.01) * ((i / 2000) % 2 == 0 ? 1 : 0.001);
    all[i] = static_cast<float>(shape == 0 ? 0 : shape == 1 ? random : tone + 0.01 * random);
  }
  for (int n = input.byte() % 8; n > 0 && !all.empty(); --n)
    all[input.below_or_equal(65535) % all.size()] = input.take<float>();
  return all;
}

// A size of a structure: right, larger, or too small.
template <typename Struct>
std::size_t size_for(Input& input) {
  const std::uint8_t choice = input.byte();
  return choice < 200 ? sizeof(Struct) : choice < 220 ? sizeof(Struct) + choice % 16 : choice % sizeof(Struct);
}

// The structure and room behind it that the library must leave alone.
template <typename Struct>
struct Room {
  Struct value{};
  std::array<unsigned char, 16> behind{};
};

template <typename Struct, typename Query>
vqas_status query(Input& input, Query&& ask) {
  static_assert(sizeof(Room<Struct>) >= sizeof(Struct) + 15);
  Room<Struct> room;
  const std::size_t size = size_for<Struct>(input);
  const vqas_status status = ask(&room.value, size);
  if (size < sizeof(Struct)) require(status != VQAS_OK, "a size that is too small is refused");
  return status;
}

vqas_mark_data mark_data(Input& input) {
  const bool lawful = input.byte() < 220;
  vqas_mark_data data{static_cast<vqas_end>(input.byte() % (lawful ? 2 : 256)), input.take<std::uint32_t>(),
                      input.take<std::uint16_t>(), input.take<std::uint32_t>(), input.take<std::uint32_t>()};
  if (lawful) {
    data.run_id &= 0xFFFFFFU;
    data.stimulus &= 0xFFU;
    data.sequence &= 0xFFFFU;
    data.corpus_digest &= 0xFFFFU;
  }
  return data;
}

template <typename Owned>
void note(Owned& owned, vqas_status status) {
  owned.spent = owned.spent || status == VQAS_NO_MEMORY || status == VQAS_INTERNAL;
  require(status != VQAS_INTERNAL, "no call fails by a fault of the library");
  require(vqas_status_text(status) != nullptr, "every status has a text");
}

void check_score(const vqas_scorer* scorer, const vqas_score& score) {
  require((score.outcome == VQAS_SCORED) != std::isnan(score.mos_lqo), "a score has a MOS, and nothing else has");
  if (score.outcome == VQAS_SCORED) {
    require(score.mos_lqo >= 1 && score.mos_lqo <= 4.55, "a MOS lies within the scale");
    require(score.confidence >= 0 && score.confidence <= 1, "confidence is a probability");
  } else {
    require(*vqas_scorer_reason(scorer) != '\0', "what has no score has a reason");
  }
  vqas_impairment_finding finding{};
  require(vqas_scorer_impairment(scorer, score.impairments, &finding, sizeof finding) == VQAS_END, "the list ends");
}

void score(Input& input, Handles& all) {
  auto& owned = all.scorer;
  if (owned.handle == nullptr) {
    vqas_scorer* made = nullptr;
    const vqas_mode mode = input.byte() % 4 == 3 ? VQAS_WIDEBAND : VQAS_NARROWBAND;
    require(vqas_scorer_create_for(mode, &made) == VQAS_OK, "a scorer can be created");
    owned.replace(made);
  }
  const auto reference = samples(input, kMostScored), degraded = samples(input, kMostScored);
  const int rate = input.byte() < 200 ? 8000 : input.take<std::int32_t>();
  const vqas_recording from{reference.data(), reference.size(), rate};
  const vqas_recording to{input.byte() < 250 ? degraded.data() : nullptr, degraded.size(), rate};
  vqas_score_options options{};
  require(vqas_score_options_init(&options, sizeof options) == VQAS_OK, "options have defaults");
  options.diagnose = input.byte() % 4 == 0;
  if (input.byte() % 2 == 0) {
    options.placed = 1;
    options.start_samples = number(input);
    options.clock_drift_ppm = number(input);
    options.uncertainty_s = number(input);
  }
  const std::size_t size = size_for<vqas_score_options>(input);
  struct {
    vqas_score_options options;
    std::array<unsigned char, 16> behind;
  } const given{options, {}};
  vqas_score result{};
  const auto status = vqas_scorer_score(owned.handle, &from, &to, input.byte() % 8 == 0 ? nullptr : &given.options,
                                        size, &result, sizeof result);
  note(owned, status);
  if (status == VQAS_OK) check_score(owned.handle, result);
  if (status != VQAS_OK) require(*vqas_scorer_message(owned.handle) != '\0', "a failure has a message");
  const std::size_t place = input.byte();
  note(owned, query<vqas_delay_piece>(input, [&](auto* to_where, std::size_t bytes) {
         return vqas_scorer_delay_piece(owned.handle, place, to_where, bytes);
       }));
  note(owned, query<vqas_unused_sound>(input, [&](auto* to_where, std::size_t bytes) {
         return vqas_scorer_unused_sound(owned.handle, place, to_where, bytes);
       }));
  note(owned, query<vqas_segment>(input, [&](auto* to_where, std::size_t bytes) {
         return vqas_scorer_segment(owned.handle, place, to_where, bytes);
       }));
}

struct Source {
  std::vector<float> samples;
  int fails_after = 0;
};

int read_source(void* user, std::uint64_t first, std::size_t count, float* to) {
  auto& source = *static_cast<Source*>(user);
  if (source.fails_after-- == 0) return 1;
  require(first + count <= source.samples.size(), "a read lies within the source");
  std::copy_n(source.samples.begin() + static_cast<std::ptrdiff_t>(first), count, to);
  return 0;
}

void score_long(Input& input, Handles& all) {
  if (all.scorer.handle == nullptr) return;
  Source reference{samples(input, kMostScored), input.byte()}, degraded{samples(input, kMostScored), input.byte()};
  const int rate = input.byte() < 200 ? 8000 : input.take<std::int32_t>();
  const vqas_source from{reference.samples.size(), rate, read_source, &reference};
  const vqas_source to{degraded.samples.size(), rate, read_source, &degraded};
  vqas_long_options options{};
  require(vqas_long_options_init(&options, sizeof options) == VQAS_OK, "options have defaults");
  if (input.byte() % 2 == 0) {
    options.segment_s = number(input);
    options.search_s = number(input);
    options.uncertainty_s = number(input);
  }
  options.progress = [](void*, double done) { return done >= 0 && done <= 1 ? 0 : 1; };
  vqas_score result{};
  note(all.scorer,
       vqas_scorer_score_long(all.scorer.handle, &from, &to, &options, sizeof options, &result, sizeof result));
}

void line(Input& input, Handles& all) {
  auto& owned = all.line;
  if (owned.handle == nullptr || input.byte() % 4 == 0) {
    vqas_line_options options{};
    require(vqas_line_options_init(&options, sizeof options) == VQAS_OK, "options have defaults");
    options.law = static_cast<vqas_law>(input.byte() % 3);
    options.ber = number(input);
    options.delay_s = number(input);
    options.gain_db = number(input);
    options.band_limit = input.byte() % 2;
    options.circuit_noise_dbm0p = input.byte() % 2 == 0 ? -INFINITY : number(input);
    std::array<char, 40> message{};
    vqas_line* made = nullptr;
    const auto status =
        vqas_line_create(&options, sizeof options, input.take<std::uint64_t>(), input.take<std::uint64_t>(), &made,
                         message.data(), input.below_or_equal(message.size()));
    require((status == VQAS_OK) == (made != nullptr), "a line is given only with success");
    require(std::ranges::find(message, '\0') != message.end(), "a message ends with a zero");
    note(owned, status);
    if (made != nullptr) owned.replace(made);
  }
  if (owned.handle == nullptr) return;
  auto sound = samples(input, kMostSamples);
  note(owned, vqas_line_process(owned.handle, sound.data(), sound.size(), sound.data()));
  for (const float sample : sound) require(std::isfinite(sample), "a line gives finite samples");
  require(vqas_line_delay_samples(owned.handle) < 20 * 8000, "a delay is bounded");
  note(owned, query<vqas_line_counts>(input, [&](auto* counts, std::size_t size) {
         return vqas_line_get_counts(owned.handle, counts, size);
       }));
}

void marks(Input& input, Handles& all) {
  const vqas_mark_data data = mark_data(input);
  const auto kind = static_cast<vqas_mark_kind>(input.byte() % 3);
  std::vector<float> mark(vqas_mark_length(kind));
  const auto made = vqas_mark_make(kind, &data, mark.data(), mark.size());
  require(made == VQAS_OK || made == VQAS_INVALID, "a mark is made or refused");
  const auto speech = samples(input, kMostScored);
  const double guard_s = number(input);
  std::vector<float> sent(vqas_transmission_length(speech.size(), guard_s));
  if (!sent.empty())
    (void)vqas_transmission_make(speech.data(), speech.size(), &data, guard_s, sent.data(), sent.size(), nullptr);
  require(vqas_transmission_length(input.take<std::size_t>(), guard_s) <= std::size_t{VQAS_LONGEST_S} * 8000 + 20000,
          "a transmission has a bounded length");
  const auto& pushed = input.byte() % 2 == 0 ? sent : speech;
  if (all.detector.handle == nullptr) (void)vqas_detector_create(data.sender, &all.detector.handle);
  if (all.detector.handle != nullptr) {
    note(all.detector, vqas_detector_push(all.detector.handle, pushed.data(), pushed.size()));
    note(all.detector, query<vqas_mark>(input, [&](auto* found, std::size_t size) {
           return vqas_detector_next(all.detector.handle, found, size);
         }));
  }
  if (all.receiver.handle == nullptr) (void)vqas_receiver_create(data.sender, guard_s, &all.receiver.handle);
  if (all.receiver.handle == nullptr) return;
  const std::size_t length = input.byte() % 2 == 0 ? speech.size() : input.take<std::size_t>();
  note(all.receiver, vqas_receiver_expect(all.receiver.handle, &data, length, number(input)));
  note(all.receiver, vqas_receiver_push(all.receiver.handle, pushed.data(), pushed.size()));
  if (input.byte() % 4 == 0) note(all.receiver, vqas_receiver_finish(all.receiver.handle));
  note(all.receiver, query<vqas_capture>(input, [&](auto* capture, std::size_t size) {
         const auto status = vqas_receiver_next(all.receiver.handle, capture, size);
         // Reads every sample: they must be there.
         if (status == VQAS_OK) const std::vector<float> copy(capture->samples, capture->samples + capture->count);
         return status;
       }));
}

void sampler(Input& input, Handles& all) {
  auto& owned = all.sampler;
  if (owned.handle == nullptr || input.byte() % 8 == 0) {
    vqas_sampler_options options{};
    require(vqas_sampler_options_init(&options, sizeof options) == VQAS_OK, "options have defaults");
    if (input.byte() % 2 == 0) {
      options.first_count = input.take<std::uint32_t>();
      options.step = input.take<std::uint32_t>();
      options.cap_count = input.take<std::uint32_t>();
      options.max_failures = input.byte();
    }
    if (input.byte() % 2 == 0) {
      options.goal_half_width = number(input);
      options.goal_confidence = number(input);
      options.fallback_half_width = number(input);
      options.fallback_confidence = number(input);
    }
    vqas_sampler* made = nullptr;
    note(owned, vqas_sampler_create(&options, size_for<vqas_sampler_options>(input) % (sizeof options + 1), &made,
                                    nullptr, 0));
    if (made != nullptr) owned.replace(made);
  }
  if (owned.handle == nullptr) return;
  for (int n = input.byte() % 16; n > 0; --n) note(owned, vqas_sampler_add(owned.handle, number(input)));
  const auto reason = static_cast<vqas_stop_reason>(input.byte() % 16);
  if (input.byte() % 8 == 0) note(owned, vqas_sampler_stop(owned.handle, reason));
  require((vqas_sampler_wanted(owned.handle) == 0) == (vqas_sampler_reason(owned.handle) != VQAS_GOING),
          "a sampler wants nothing exactly when it has ended");
  vqas_interval interval{};
  require(vqas_sampler_interval(owned.handle, &interval, sizeof interval) == VQAS_OK, "an interval can be asked for");
  require(interval.count > 0 || std::isnan(interval.mean), "without scores there is no mean");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  Handles all;
  for (int n = 0; n < kMostCalls && !input.empty(); ++n) {
    switch (input.byte() % 6) {
      case 0:
        score(input, all);
        break;
      case 1:
        line(input, all);
        break;
      case 2:
        marks(input, all);
        break;
      case 3:
        sampler(input, all);
        break;
      case 4:
        score_long(input, all);
        break;
      default:
        require(vqas_outcome_text(static_cast<vqas_outcome>(input.byte())) != nullptr, "every outcome has a text");
        require(vqas_impairment_advice(static_cast<vqas_impairment>(input.byte()), number(input)) != nullptr,
                "every impairment has advice");
        require(vqas_stop_reason_text(static_cast<vqas_stop_reason>(input.byte())) != nullptr,
                "every reason has a text");
    }
    // A spent handle can only be destroyed.
    if (all.line.spent) all.line.replace(nullptr);
    if (all.detector.spent) all.detector.replace(nullptr);
    if (all.receiver.spent) all.receiver.replace(nullptr);
    if (all.sampler.spent) all.sampler.replace(nullptr);
  }
  return 0;
}
