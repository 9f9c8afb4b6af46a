#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>

namespace vqas {

/// `text` as one word of a POSIX shell: in quotes if it holds characters special to the shell.
inline std::string as_word(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string("/._-:=@,+").find(c) != std::string::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// A command that can be copied into a shell.
inline std::string as_command(std::initializer_list<std::string> words) {
  std::string command;
  for (const std::string& word : words) command += (command.empty() ? "" : " ") + as_word(word);
  return command;
}

}  // namespace vqas
