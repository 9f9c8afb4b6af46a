#include "vqas/relay/conditions.h"

#include <fmt/format.h>

#include <array>

namespace vqas {
namespace {

struct Range {
  const char* name;
  double value, low, high;
};

Error out_of_range(const char* name, double value, const std::string& cure) {
  return {ErrorCode::bad_input, fmt::format("{}: {} is out of range; give {}", name, value, cure)};
}

Status check_ber(const char* name, double ber) {
  if (!is_valid_ber(ber)) return out_of_range(name, ber, "0 or 1e-12 to 0.5");
  return success();
}

Status validate(const PayloadErrors& errors) {
  if (const Status ber = check_ber("ber", errors.ber); !ber) return ber;
  const int processes =
      (errors.ber > 0 ? 1 : 0) + (errors.gilbert_elliott ? 1 : 0) + (errors.stretches.empty() ? 0 : 1);
  if (processes > 1) {
    return Error{ErrorCode::bad_input, "ber, gilbert_elliott and stretches exclude each other; give one of them"};
  }
  if (errors.mask == 0) return Error{ErrorCode::bad_input, "mask: 0 shows no bits; give 1 to 255"};
  if (const auto& model = errors.gilbert_elliott) {
    for (const auto& [name, ber] : {std::pair("good_ber", model->good_ber), std::pair("bad_ber", model->bad_ber)}) {
      if (const Status valid = check_ber(name, ber); !valid) return valid;
    }
    for (const auto& [name, bits] :
         {std::pair("mean_good_bits", model->mean_good_bits), std::pair("mean_bad_bits", model->mean_bad_bits)}) {
      if (!(bits >= 2 && bits <= 1e12)) return out_of_range(name, bits, "2 to 1e12");
    }
  }
  for (const ErrorStretch& stretch : errors.stretches) {
    if (stretch.bits == 0) return out_of_range("stretches", 0, "at least one bit to each");
    for (const double ber : {stretch.from_ber, stretch.to_ber}) {
      if (const Status valid = check_ber("stretches", ber); !valid) return valid;
    }
  }
  return success();
}

}  // namespace

Status validate(const RelayConditions& conditions) {
  if (const Status errors = validate(conditions.errors); !errors) return errors;
  const PacketConditions& packets = conditions.packets;
  for (const Range& range : std::array<Range, 7>{{{"loss", packets.loss, 0, 1},
                                                  {"loss_run", packets.loss_run, 0, 1000},
                                                  {"delay_ms", packets.delay_ms, 0, 10000},
                                                  {"jitter_ms", packets.jitter_ms, 0, 1000},
                                                  {"reorder", packets.reorder, 0, 1},
                                                  {"reorder_ms", packets.reorder_ms, 0, 1000},
                                                  {"duplicate", packets.duplicate, 0, 1}}}) {
    if (!(range.value >= range.low && range.value <= range.high)) {
      return out_of_range(range.name, range.value, fmt::format("{} to {}", range.low, range.high));
    }
  }
  if (packets.loss_run > 0 && packets.loss_run < 1)
    return out_of_range("loss_run", packets.loss_run, "0, or 1 to 1000");
  // Gilbert's model leaves the good state with loss / (loss_run * (1 - loss)), which is no probability beyond 1.
  if (packets.loss_run >= 1 && packets.loss < 1 && packets.loss > packets.loss_run * (1 - packets.loss)) {
    return out_of_range("loss", packets.loss, "at most loss_run / (loss_run + 1)");
  }
  return success();
}

std::unique_ptr<ErrorProcess> make_error_process(const PayloadErrors& errors, std::uint64_t seed,
                                                 std::uint64_t stream) {
  if (errors.gilbert_elliott) return std::make_unique<GilbertElliottErrors>(*errors.gilbert_elliott, seed, stream);
  if (!errors.stretches.empty()) {
    return std::make_unique<ProfileErrors>(errors.stretches, errors.loop, seed, stream);
  }
  return std::make_unique<RandomErrors>(errors.ber, seed, stream);
}

}  // namespace vqas
