// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_python/interpreter.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

bool isProgram(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<fs::path> inPath(const std::string& name) {
  const char* folders = std::getenv("PATH");
  if (folders == nullptr) return std::nullopt;
  for (const std::string& folder : split(folders, ':')) {
    fs::path path = fs::path(folder.empty() ? "." : folder) / name;
    if (isProgram(path)) return path;
  }
  return std::nullopt;
}

}  // namespace

Result<fs::path> findInterpreter(const std::string& interpreter, std::string_view knob) {
  std::error_code error;
  if (interpreter.find('/') == std::string::npos) {
    if (const auto found = inPath(interpreter)) return fs::absolute(*found, error);
    return Error{fmt::format(
        "there is no program `{}` in PATH: {} names the interpreter that runs your code",
        interpreter, knob)};
  }
  const fs::path path = fs::absolute(interpreter, error);
  if (!fs::exists(path, error))
    return Error{fmt::format("the interpreter {} does not exist", interpreter)};
  if (!isProgram(path))
    return Error{
        fmt::format("{} is not a program that can be started: {} takes an interpreter such as "
                    "/usr/bin/python3",
                    interpreter, knob)};
  return path;
}

bool isPythonName(std::string_view name) {
  const auto isLetter = [](char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return std::isalnum(code) != 0 || letter == '_' || code >= 0x80;
  };
  const auto isDigit = [](char letter) { return letter >= '0' && letter <= '9'; };
  return std::ranges::all_of(split(std::string(name), '.'), [&](const std::string& part) {
    return !part.empty() && !isDigit(part[0]) && std::ranges::all_of(part, isLetter);
  });
}

bool isPythonPath(std::string_view path) {
  std::vector<std::string> names;
  for (const std::string& part : split(std::string(path), '.')) {
    const bool isIndex = !part.empty() && std::ranges::all_of(part, [](unsigned char letter) {
      return std::isdigit(letter) != 0;
    });
    if (isIndex && !names.empty()) continue;
    names.push_back(part.ends_with("()") ? part.substr(0, part.size() - 2) : part);
  }
  return isPythonName(fmt::format("{}", fmt::join(names, ".")));
}

}  // namespace millrace
