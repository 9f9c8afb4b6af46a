#include "node/wire/node_session.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cmath>

#include "node/wire/node_archive.h"
#include "node/wire/rpc.h"
#include "run/measurement_limits.h"

namespace vqas {
namespace {

constexpr std::size_t kLongestName = 100;
constexpr std::size_t kMostStimuli = 256;  // 8 bits in a mark
constexpr std::size_t kShortestKey = 16, kLongestKey = 100;
constexpr double kShortestLease_s = 1, kLongestLease_s = 86400;

Error faulty(const std::string& message) {
  return {ErrorCode::bad_input, message};
}

std::optional<std::string> short_word(const Json& params, const char* key) {
  const Json value = params.value(key, Json());
  if (!value.is_string() || value.get<std::string>().empty() || value.get<std::string>().size() > kLongestName) {
    return std::nullopt;
  }
  return value.get<std::string>();
}

}  // namespace

std::string digest_of(const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int length = 0;
  EVP_Digest(text.data(), text.size(), bytes.data(), &length, EVP_sha256(), nullptr);
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) hex += fmt::format("{:02x}", bytes[i]);
  return hex;
}

Result<NodeSession> node_session_from(const Json& params) {
  if (params.value("protocol", Json()) != rpc::kProtocolVersion) {
    return faulty("\"protocol\" must be " + std::to_string(rpc::kProtocolVersion) +
                  ", the version of this node; use the same release everywhere");
  }
  NodeSession session;
  const auto holder = short_word(params, "holder"), id = short_word(params, "session");
  if (!holder) return faulty("\"holder\" must be a name of 1 to 100 bytes");
  if (!id || as_file_name(*id) != *id) return faulty("\"session\" must be 1 to 100 letters, digits, '-' or '_'");
  session.holder = *holder;
  session.id = *id;
  const Json key = params.value("key", Json());
  if (!key.is_null()) {
    const std::string text = key.is_string() ? key.get<std::string>() : std::string();
    if (text.size() < kShortestKey || text.size() > kLongestKey) {
      return faulty("\"key\" must be a secret of 16 to 100 bytes");
    }
    session.key_digest = digest_of(text);
  }
  const Json lease = params.value("lease_s", Json(static_cast<double>(session.lease.count()) * 1e-3));
  if (!lease.is_number() || !(lease.get<double>() >= kShortestLease_s) || lease.get<double>() > kLongestLease_s) {
    return faulty("\"lease_s\" must be from 1 to 86400");
  }
  session.lease = std::chrono::milliseconds(std::llround(lease.get<double>() * 1000));
  const Json run_id = params.value("run_id", Json());
  if (!run_id.is_number_unsigned() || run_id.get<std::uint64_t>() > kLastRunId) {
    return faulty("\"run_id\" must be a whole number of 24 bits");
  }
  session.run_id = run_id.get<std::uint32_t>();
  const Json guard = params.value("guard_s", Json(session.guard_s));
  if (!guard.is_number() || !(guard.get<double>() >= 0.05) || guard.get<double>() > 1) {
    return faulty("\"guard_s\" must be from 0.05 to 1");
  }
  session.guard_s = guard.get<double>();
  const Json mode = params.value("mode", Json(to_string(session.mode)));
  const auto known = mode.is_string() ? score_mode_from_string(mode.get<std::string>()) : std::nullopt;
  if (!known) return faulty("\"mode\" must be \"nb\" or \"wb\"");
  session.mode = *known;
  session.narrowband_too = params.value("narrowband_too", Json()) == true;
  const Json stimuli = params.value("stimuli", Json());
  if (!stimuli.is_array() || stimuli.empty() || stimuli.size() > kMostStimuli) {
    return faulty("\"stimuli\" must be a list of 1 to 256 names");
  }
  for (const Json& one : stimuli) {
    if (!one.is_string()) return faulty("\"stimuli\" must hold names");
    session.stimuli.push_back(one.get<std::string>());
  }
  return session;
}

}  // namespace vqas
