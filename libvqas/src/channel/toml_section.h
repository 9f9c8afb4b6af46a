#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "channel/profile_words.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The first error in a TOML text.
class TomlFaults {
 public:
  explicit TomlFaults(std::filesystem::path where) : where_(std::move(where)) {}

  void add(const toml::node& node, const std::string& what) { add_at(node.source().begin.line, what); }
  void add_at(std::size_t line, const std::string& what) {
    if (!first_) first_ = Error{ErrorCode::bad_input, fmt::format("{}:{}: {}", where_.string(), line, what)};
  }
  const std::optional<Error>& first() const { return first_; }
  const std::filesystem::path& where() const { return where_; }

 private:
  std::filesystem::path where_;
  std::optional<Error> first_;
};

/// One table of a TOML text, read key by key; finish() refuses keys that were not read. A missing key leaves the value
/// unchanged.
class TomlSection {
 public:
  TomlSection(const toml::table& table, std::string name, TomlFaults& faults)
      : table_(table), name_(std::move(name)), faults_(faults) {}

  bool has(std::string_view key) const { return table_.contains(key); }
  bool is_text(std::string_view key) const { return table_.get(key) != nullptr && table_.get(key)->is_string(); }

  void number(std::string_view key, double& value) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    if (!node->is_number()) return wrong(*node, key, "a number");
    value = node->value<double>().value_or(value);
  }

  template <typename Integer>
  void integer(std::string_view key, Integer& value) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    const auto number = node->value_exact<std::int64_t>();
    if (!number || (*number < 0 && std::is_unsigned_v<Integer>) ||
        static_cast<double>(*number) > static_cast<double>(std::numeric_limits<Integer>::max()) ||
        static_cast<double>(*number) < static_cast<double>(std::numeric_limits<Integer>::lowest())) {
      return wrong(*node, key, std::is_unsigned_v<Integer> ? "a whole number, not negative" : "a whole number");
    }
    value = static_cast<Integer>(*number);
  }

  void flag(std::string_view key, bool& value) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    if (!node->is_boolean()) return wrong(*node, key, "true or false");
    value = node->value<bool>().value_or(value);
  }

  void text(std::string_view key, std::string& value) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    if (!node->is_string()) return wrong(*node, key, "a text in quotes");
    value = node->value<std::string>().value_or(value);
  }

  template <typename T, std::size_t N>
  void choice(std::string_view key, T& value, const Words<T, N>& words) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    std::string known;
    const auto given = node->value_exact<std::string_view>();
    for (const auto& [word, meaning] : words) {
      if (given == word) {
        value = meaning;
        return;
      }
      known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", word);
    }
    wrong(*node, key, "one of " + known);
  }

  void numbers(std::string_view key, std::vector<double>& values) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    const toml::array* const array = node->as_array();
    if (array == nullptr) return wrong(*node, key, "a list of numbers");
    for (const toml::node& one : *array) {
      if (!one.is_number()) return wrong(one, key, "a list of numbers");
      values.push_back(one.value<double>().value_or(0));
    }
  }

  void texts(std::string_view key, std::vector<std::string>& values) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    const toml::array* const array = node->as_array();
    if (array == nullptr) return wrong(*node, key, "a list of texts in quotes");
    for (const toml::node& one : *array) {
      if (!one.is_string()) return wrong(one, key, "a list of texts in quotes");
      values.push_back(one.value<std::string>().value_or(""));
    }
  }

  /// Every key of this table with its text, whatever the key.
  void every_text(const std::function<void(std::string_view key, const std::string& value)>& take) {
    for (const auto& [key, node] : table_) {
      find(key.str());
      if (!node.is_string()) return wrong(node, key.str(), "a text in quotes");
      take(key.str(), node.value<std::string>().value_or(""));
    }
  }

  /// Reads a table of this name, if there is one.
  bool section(std::string_view key, const std::function<void(TomlSection&)>& read) {
    const toml::node* const node = find(key);
    if (node == nullptr) return false;
    const toml::table* const table = node->as_table();
    if (table == nullptr) {
      wrong(*node, key, fmt::format("a table, [{}]", path(key)));
      return false;
    }
    TomlSection inner(*table, path(key), faults_);
    read(inner);
    inner.finish();
    return true;
  }

  /// Reads each table of an array of this name.
  void sections(std::string_view key, const std::function<void(TomlSection&)>& read) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    const toml::array* const array = node->as_array();
    if (array == nullptr) return wrong(*node, key, fmt::format("a list of tables, [[{}]]", path(key)));
    for (const toml::node& one : *array) {
      const toml::table* const table = one.as_table();
      if (table == nullptr) return wrong(one, key, fmt::format("a list of tables, [[{}]]", path(key)));
      TomlSection inner(*table, path(key), faults_);
      read(inner);
      inner.finish();
    }
  }

  /// "FILE:LINE" of a key, or of the table that lacks it.
  std::string place(std::string_view key) const {
    const toml::node* const node = table_.get(key);
    return fmt::format("{}:{}", faults_.where().string(), (node == nullptr ? table_ : *node).source().begin.line);
  }

  void fault(std::string_view key, const std::string& what) {
    const toml::node* const node = table_.get(key);
    faults_.add(node == nullptr ? table_ : *node, what);
  }

  /// Reports that this key is missing, with `what` as the reason; a misspelt key is reported first.
  void need(std::string_view key, std::string what) {
    if (!has(key)) missing_.push_back(std::move(what));
  }

  /// Refuses unknown keys, then reports missing ones.
  void finish() {
    for (const auto& [key, node] : table_) {
      bool known = false;
      std::string list;
      for (const std::string& one : asked_) {
        known = known || one == key.str();
        list += (list.empty() ? "" : ", ") + one;
      }
      if (known) continue;
      faults_.add_at(key.source().begin.line,
                     fmt::format("\"{}\" is not a key {}; known here: {}", std::string_view(key.str()),
                                 name_.empty() ? std::string("at the top") : "of [" + name_ + "]", list));
    }
    for (const std::string& what : missing_) faults_.add(table_, what);
  }

  const std::filesystem::path& where() const { return faults_.where(); }

 private:
  const toml::node* find(std::string_view key) {
    asked_.emplace_back(key);
    return table_.get(key);
  }
  std::string path(std::string_view key) const {
    return name_.empty() ? std::string(key) : name_ + "." + std::string(key);
  }
  void wrong(const toml::node& node, std::string_view key, const std::string& wanted) {
    faults_.add(node, fmt::format("{} is not {}; give {}", path(key), wanted, wanted));
  }

  const toml::table& table_;
  std::string name_;
  TomlFaults& faults_;
  std::vector<std::string> asked_;
  std::vector<std::string> missing_;
};

}  // namespace vqas
