// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_python/interpreter.h"

#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <optional>
#include <system_error>

#include <fmt/format.h>

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
  for (const std::string& part : split(std::string(name), '.')) {
    if (part.empty() || (part[0] >= '0' && part[0] <= '9')) return false;
    for (const char letter : part) {
      const auto code = static_cast<unsigned char>(letter);
      if (std::isalnum(code) == 0 && letter != '_' && code < 0x80) return false;
    }
  }
  return true;
}

}  // namespace millrace
