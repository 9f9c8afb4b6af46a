#include "run/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "vqas/signal/plain_text.h"
#include "vqas/signal/rounding.h"

namespace vqas::store {

Json rounded(double value, double step) {
  if (!std::isfinite(value)) return nullptr;
  const double result = rounded_to(value, step);
  return std::isfinite(result) ? Json(result) : Json(nullptr);
}

Json rounded(const std::optional<double>& value, double step) {
  return value ? rounded(*value, step) : Json(nullptr);
}

std::string to_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_page(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Reader::Reader(const Json& object, std::string where) : json_(object), where_(std::move(where)) {
  if (!json_.is_object()) fail("is not a JSON object");
}

bool Reader::has(const char* key) const {
  return json_.is_object() && json_.contains(key);
}

const Json* Reader::find(const char* key) {
  if (!json_.is_object()) return nullptr;
  const auto place = json_.find(key);
  if (place != json_.end()) return &*place;
  fail(fmt::format("lacks \"{}\"", key));
  return nullptr;
}

double Reader::number(const char* key, double lowest, double highest) {
  const Json* value = find(key);
  if (value == nullptr) return lowest;
  if (!value->is_number()) {
    fail(fmt::format("has a \"{}\" that is not a number", key));
    return lowest;
  }
  const auto number = value->get<double>();
  if (!(number >= lowest) || !(number <= highest)) {
    fail(fmt::format("has a \"{}\" outside {}..{}", key, lowest, highest));
    return lowest;
  }
  return number;
}

std::optional<double> Reader::optional_number(const char* key, double lowest, double highest) {
  const Json* value = find(key);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return number(key, lowest, highest);
}

std::uint64_t Reader::whole(const char* key, std::uint64_t lowest, std::uint64_t highest) {
  const Json* value = find(key);
  if (value == nullptr) return lowest;
  if (!value->is_number_unsigned() || value->get<std::uint64_t>() < lowest || value->get<std::uint64_t>() > highest) {
    fail(fmt::format("has a \"{}\" that is not a whole number within {}..{}", key, lowest, highest));
    return lowest;
  }
  return value->get<std::uint64_t>();
}

bool Reader::flag(const char* key) {
  const Json* value = find(key);
  if (value == nullptr) return false;
  if (!value->is_boolean()) {
    fail(fmt::format("has a \"{}\" that is neither true nor false", key));
    return false;
  }
  return value->get<bool>();
}

std::string Reader::text(const char* key, std::size_t longest) {
  const Json* value = find(key);
  if (value == nullptr) return {};
  if (!value->is_string()) {
    fail(fmt::format("has a \"{}\" that is not a text", key));
    return {};
  }
  auto text = value->get<std::string>();
  const bool control =
      std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (text.size() > longest || control) {
    fail(fmt::format("has a \"{}\" of more than {} bytes or with control characters", key, longest));
    return {};
  }
  return plain_text(text);
}

std::string Reader::optional_text(const char* key, std::size_t longest) {
  if (!has(key) || json_.at(key).is_null()) return {};
  return text(key, longest);
}

const Json& Reader::array(const char* key) {
  static const Json empty = Json::array();
  const Json* value = find(key);
  if (value == nullptr) return empty;
  if (value->is_array()) return *value;
  fail(fmt::format("has a \"{}\" that is not a list", key));
  return empty;
}

const Json& Reader::object(const char* key) {
  static const Json empty = Json::object();
  const Json* value = find(key);
  if (value == nullptr) return empty;
  if (value->is_object()) return *value;
  fail(fmt::format("has a \"{}\" that is not an object", key));
  return empty;
}

void Reader::fail(const std::string& what) {
  if (!fault_) fault_ = Error{ErrorCode::bad_input, where_ + " " + what};
}

}  // namespace vqas::store
