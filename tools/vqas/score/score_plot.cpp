#include "score/score_plot.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <sstream>
#include <vector>

#include "score/plot_colours.h"
#include "score/plot_name.h"
#include "score/plot_words.h"
#include "vqas/signal/audio_file.h"

namespace vqas::cli {
namespace {

constexpr double kWidth = 1200;
constexpr double kHeight = 1000;
constexpr double kLeft = 78;
constexpr double kRight = kWidth - 128;
constexpr double kPowerRangeDb = 60;
constexpr double kDistanceRange = 0.5;
constexpr Rgb kNothingKnown = 0x00D4D4D4;

struct Box {
  double top = 0, bottom = 0;
};
constexpr Box kReference{120, 300};
constexpr Box kDegraded{350, 530};
constexpr Box kDistance{580, 760};
constexpr Box kDelay{810, 945};

using Surface = std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)>;
using Context = std::unique_ptr<cairo_t, void (*)(cairo_t*)>;

/// A place on the frequency axis, 0 bottom to 1 top, and back.
struct FrequencyAxis {
  double lowest_hz = 0, highest_hz = 4000;
  bool bark = false;
  double place(double hz) const { return (scale(hz) - scale(lowest_hz)) / (scale(highest_hz) - scale(lowest_hz)); }
  double scale(double hz) const { return bark ? 26.81 * hz / (1960 + hz) : hz; }  // Traunmueller 1990
};

double round_step(double range, int most) {
  const double rough = range / most;
  const double decade = std::pow(10, std::floor(std::log10(rough)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * decade >= rough) return step * decade;
  }
  return 10 * decade;
}

class Drawing {
 public:
  Drawing(cairo_t* context, double seconds) : context_(context), seconds_(seconds) {
    cairo_set_source_rgb(context_, 1, 1, 1);
    cairo_paint(context_);
    cairo_select_font_face(context_, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  }

  void text(double x, double y, const std::string& words, double size, double align = 0, bool bold = false) {
    cairo_select_font_face(context_, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context_, size);
    cairo_text_extents_t extents;
    cairo_text_extents(context_, words.c_str(), &extents);
    cairo_set_source_rgb(context_, 0.1, 0.1, 0.1);
    cairo_move_to(context_, x - align * extents.x_advance, y);
    cairo_show_text(context_, words.c_str());
  }

  /// The words broken into lines that fit between the margins.
  std::vector<std::string> wrapped(const std::string& words, double size) {
    cairo_select_font_face(context_, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context_, size);
    std::vector<std::string> lines{""};
    std::istringstream all(words);
    for (std::string word; all >> word;) {
      const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
      cairo_text_extents_t extents;
      cairo_text_extents(context_, longer.c_str(), &extents);
      if (lines.back().empty() || extents.x_advance <= kRight + 100 - kLeft) {
        lines.back() = longer;
      } else {
        lines.push_back(word);
      }
    }
    return lines;
  }

  void frame(const Box& box, const std::string& title, const std::string& unit, bool time_label) {
    text(kLeft, box.top - 9, title, 14, 0, true);
    line(0.3, 1, [&] { cairo_rectangle(context_, kLeft, box.top, kRight - kLeft, box.bottom - box.top); });
    cairo_save(context_);
    cairo_translate(context_, 18, (box.top + box.bottom) / 2);
    cairo_rotate(context_, -M_PI / 2);
    text(0, 0, unit, 12, 0.5);
    cairo_restore(context_);
    const double step = round_step(seconds_, 12);
    for (double at = 0; at <= seconds_ + 1e-9; at += step) {
      const double x = at_time(at);
      line(0.3, 1, [&] {
        cairo_move_to(context_, x, box.bottom);
        cairo_line_to(context_, x, box.bottom + 5);
      });
      text(x, box.bottom + 18, tick_label(at), 11, 0.5);
    }
    if (time_label) text((kLeft + kRight) / 2, box.bottom + 38, "time in the reference, s", 12, 0.5);
  }

  void frequency_ticks(const Box& box, const FrequencyAxis& axis) {
    for (const double hz : {250.0, 500.0, 1000.0, 2000.0, 3000.0, 4000.0, 6000.0, 8000.0}) {
      if (hz < axis.lowest_hz || hz > axis.highest_hz + 1 || (!axis.bark && hz < 1000)) continue;
      tick(box, axis.place(hz), fmt::format("{:g}", hz));
    }
  }

  void tick(const Box& box, double place, const std::string& label) {
    const double y = box.bottom - place * (box.bottom - box.top);
    line(0.3, 1, [&] {
      cairo_move_to(context_, kLeft - 5, y);
      cairo_line_to(context_, kLeft, y);
    });
    text(kLeft - 8, y + 4, label, 11, 1);
  }

  void map(const Box& box, const TimeFrequency& values, const FrequencyAxis& axis,
           const std::function<Rgb(float)>& colour) {
    const int width = static_cast<int>(kRight - kLeft);
    const int height = static_cast<int>(box.bottom - box.top);
    if (values.frames() == 0) return;
    const std::vector<std::size_t> column = columns_of(values, axis, height);
    const Surface image(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height), cairo_surface_destroy);
    cairo_surface_flush(image.get());
    unsigned char* data = cairo_image_surface_get_data(image.get());
    const int stride = cairo_image_surface_get_stride(image.get());
    for (int x = 0; x < width; ++x) {
      // The strongest of the frames behind a pixel, so that nothing short is lost.
      const auto first = static_cast<std::size_t>(x * seconds_ / width / values.frame_s);
      const auto last = std::max(first + 1, static_cast<std::size_t>((x + 1) * seconds_ / width / values.frame_s));
      for (int y = 0; y < height; ++y) {
        float strongest = 0;
        bool any = false;
        for (std::size_t frame = first; frame < std::min(last, values.frames()); ++frame) {
          const float value = values.values[frame * values.columns() + column[static_cast<std::size_t>(y)]];
          if (std::isnan(value)) continue;
          if (!any || std::abs(value - rest_) > std::abs(strongest - rest_)) strongest = value;
          any = true;
        }
        auto* pixel = reinterpret_cast<Rgb*>(data + static_cast<std::ptrdiff_t>(y) * stride) + x;
        *pixel = any ? colour(strongest) : kNothingKnown;
      }
    }
    cairo_surface_mark_dirty(image.get());
    cairo_set_source_surface(context_, image.get(), kLeft, box.top);
    cairo_pattern_set_filter(cairo_get_source(context_), CAIRO_FILTER_NEAREST);
    cairo_rectangle(context_, kLeft, box.top, width, height);
    cairo_fill(context_);
  }
  /// The value of an empty place in a map: a pixel shows the value furthest from it.
  void set_rest(float value) { rest_ = value; }

  void legend(const Box& box, const std::string& low, const std::string& high, const std::string& name,
              const std::function<Rgb(double)>& colour) {
    constexpr double kX = kRight + 22;
    const int height = static_cast<int>(box.bottom - box.top);
    for (int y = 0; y < height; ++y) {
      const Rgb rgb = colour(1 - static_cast<double>(y) / (height - 1));
      cairo_set_source_rgb(context_, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
      cairo_rectangle(context_, kX, box.top + y, 16, 1.5);
      cairo_fill(context_);
    }
    text(kX + 21, box.top + 10, high, 11);
    text(kX + 21, box.bottom, low, 11);
    cairo_save(context_);
    cairo_translate(context_, kX + 36, (box.top + box.bottom) / 2);
    cairo_rotate(context_, -M_PI / 2);
    text(0, 0, name, 11, 0.5);
    cairo_restore(context_);
  }

  void missing_bars(const Box& box, const std::vector<Segment>& segments) {
    cairo_set_source_rgb(context_, 0.85, 0.1, 0.15);
    for (const Segment& segment : segments) {
      cairo_rectangle(context_, at_time(segment.start_s), box.top,
                      std::max(1.5, segment.length_s / seconds_ * (kRight - kLeft)), 5);
      cairo_fill(context_);
    }
  }

  void delay_track(const Box& box, const Score& score) {
    if (score.delay_track.empty()) {
      text((kLeft + kRight) / 2, (box.top + box.bottom) / 2, "no delay: the recordings do not match", 13, 0.5);
      return;
    }
    double low = score.delay_track.front().delay_ms;
    double high = low;
    for (const DelayPiece& piece : score.delay_track) {
      low = std::min(low, piece.delay_ms);
      high = std::max(high, piece.delay_ms);
    }
    const double margin = std::max(1.0, 0.15 * (high - low));
    low -= margin;
    high += margin;
    const double step = round_step(high - low, 5);
    for (double at = std::ceil(low / step) * step; at <= high; at += step) {
      tick(box, (at - low) / (high - low), tick_label(at));
    }
    line(0, 1.8, [&] {
      cairo_set_source_rgb(context_, 0.05, 0.3, 0.6);
      for (const DelayPiece& piece : score.delay_track) {
        const double y = box.bottom - (piece.delay_ms - low) / (high - low) * (box.bottom - box.top);
        const double end = std::min(seconds_, piece.start_s + piece.length_s);
        if (&piece == score.delay_track.data()) cairo_move_to(context_, at_time(piece.start_s), y);
        cairo_line_to(context_, at_time(piece.start_s), y);
        cairo_line_to(context_, at_time(end), y);
      }
    });
  }

 private:
  double at_time(double seconds) const { return kLeft + seconds / seconds_ * (kRight - kLeft); }

  void line(double grey, double width, const std::function<void()>& path) {
    cairo_set_source_rgb(context_, grey, grey, grey);
    cairo_set_line_width(context_, width);
    path();
    cairo_stroke(context_);
  }

  static std::vector<std::size_t> columns_of(const TimeFrequency& values, const FrequencyAxis& axis, int height) {
    std::vector<std::size_t> result;
    for (int y = 0; y < height; ++y) {
      const double wanted = 1 - (y + 0.5) / height;
      std::size_t best = 0;
      for (std::size_t k = 1; k < values.columns(); ++k) {
        if (std::abs(axis.place(values.hz[k]) - wanted) < std::abs(axis.place(values.hz[best]) - wanted)) best = k;
      }
      result.push_back(best);
    }
    return result;
  }

  cairo_t* context_;
  double seconds_;
  float rest_ = 0;
};

void draw(cairo_t* context, const ExplainedScore& explained, const std::string& reference,
          const std::string& degraded) {
  const Explanation& explanation = *explained.explanation;
  const double seconds =
      std::max<double>(1, static_cast<double>(explanation.reference.frames()) * explanation.reference.frame_s);
  Drawing drawing(context, seconds);
  auto words = verdict(explained.score);
  if (!explained.score.mos_lqo) {
    const auto reason = drawing.wrapped(words.back(), 13);
    words.pop_back();
    // The picture below begins where a fourth line would stand.
    words.insert(words.end(), reason.begin(),
                 reason.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, reason.size())));
  }
  drawing.text(kLeft, 34, words[0], 22, 0, true);
  drawing.text(kRight + 100, 34, score_version(explained.score.mode), 12, 1);
  for (std::size_t k = 1; k < words.size(); ++k) drawing.text(kLeft, 36 + 19 * static_cast<double>(k), words[k], 13);

  const auto name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  const bool wideband = explained.score.mode == ScoreMode::wideband;
  const FrequencyAxis linear{0, wideband ? 8000.0 : 4000.0, false};
  const auto power = [](double way) { return power_colour(way); };
  const auto cell = [](float db) { return power_colour(1 + db / kPowerRangeDb); };
  for (const auto& [box, values, title] :
       {std::tuple{kReference, &explanation.reference, "Reference: " + name(reference)},
        std::tuple{
            kDegraded, &explanation.degraded,
            (explained.score.delay_ms ? "Degraded, aligned: " : "Degraded, from its beginning: ") + name(degraded)}}) {
    drawing.set_rest(-1000);
    drawing.map(box, *values, linear, cell);
    drawing.frame(box, title, "frequency, Hz", false);
    drawing.frequency_ticks(box, linear);
    drawing.legend(box, fmt::format("-{:.0f}", kPowerRangeDb), "0", "power, dB", power);
  }
  drawing.set_rest(0);
  const FrequencyAxis bark{wideband ? 62.0 : 90.0, wideband ? 7000.0 : 3720.0, true};
  const auto& shares = explanation.shares;
  drawing.map(kDistance, explanation.distance, bark,
              [](float value) { return difference_colour(value / kDistanceRange); });
  std::string distance = "Distance: loudness added (red) and lost (blue)";
  if (shares.changed + shares.raised + shares.inserted > 0) {
    distance += fmt::format("; share of the auditory distance: changed {:.0f} %, raised {:.0f} %, delay {:.0f} %",
                            100 * shares.changed, 100 * shares.raised, 100 * shares.inserted);
  } else if (!explained.score.mos_lqo) {
    distance = "Distance: none, because nothing was compared";
  }
  drawing.frame(kDistance, distance, "frequency, Hz", false);
  drawing.frequency_ticks(kDistance, bark);
  drawing.legend(kDistance, fmt::format("-{:g} lost", kDistanceRange), fmt::format("+{:g} added", kDistanceRange),
                 "loudness", [](double way) { return difference_colour(2 * way - 1); });
  drawing.delay_track(kDelay, explained.score);
  drawing.frame(kDelay, "Delay of the degraded recording", "delay, ms", true);
  drawing.missing_bars(kDegraded, explanation.missing);
  if (!explanation.missing.empty()) drawing.text(kRight + 6, kDegraded.top - 1, "red: missing", 11);
}

cairo_status_t collect(void* text, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Status plot_score(const std::filesystem::path& path, const ExplainedScore& explained, const std::string& reference,
                  const std::string& degraded) {
  if (auto good = check_plot_name(path); !good) return good.error();
  std::string content;
  const bool svg = path.extension() == ".svg";
  {
    const Surface surface(
        svg ? cairo_svg_surface_create_for_stream(collect, &content, kWidth, kHeight)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(kWidth), static_cast<int>(kHeight)),
        cairo_surface_destroy);
    const Context context(cairo_create(surface.get()), cairo_destroy);
    draw(context.get(), explained, reference, degraded);
    const cairo_status_t status = svg ? (cairo_surface_finish(surface.get()), cairo_surface_status(surface.get()))
                                      : cairo_surface_write_to_png_stream(surface.get(), collect, &content);
    if (status != CAIRO_STATUS_SUCCESS) {
      return Error{ErrorCode::io, fmt::format("cannot draw {}: {}", path.string(), cairo_status_to_string(status))};
    }
  }
  return write_file_atomically(path, content);
}

}  // namespace vqas::cli
