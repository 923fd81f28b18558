// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_loader/own_loader.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/random.h"
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

/// Links are kept: the interpreter of a virtual environment is one, and finds its packages by it.
Result<fs::path> interpreterAt(const std::string& interpreter) {
  std::error_code error;
  if (interpreter.find('/') == std::string::npos) {
    if (const auto found = inPath(interpreter)) return fs::absolute(*found, error);
    return Error{
        fmt::format("there is no program `{}` in PATH: the setting `python` names the interpreter "
                    "that runs your loader",
                    interpreter)};
  }
  const fs::path path = fs::absolute(interpreter, error);
  if (!fs::exists(path, error))
    return Error{fmt::format("the interpreter {} does not exist", interpreter)};
  if (!isProgram(path))
    return Error{
        fmt::format("{} is not a program that can be started: the setting `python` takes an "
                    "interpreter such as /usr/bin/python3",
                    interpreter)};
  return path;
}

bool isName(const std::string& name) {
  for (const std::string& part : split(name, '.')) {
    if (part.empty() || (part[0] >= '0' && part[0] <= '9')) return false;
    for (const char letter : part) {
      const auto code = static_cast<unsigned char>(letter);
      if (std::isalnum(code) == 0 && letter != '_' && code < 0x80) return false;
    }
  }
  return true;
}

std::string contentOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Result<OwnLoader> findOwnLoader(const std::string& word, const std::string& interpreter) {
  OwnLoader loader;
  const std::size_t colon = word.rfind(':');
  std::error_code error;
  if (colon == std::string::npos || colon == 0 || !isName(word.substr(colon + 1)))
    return Error{fmt::format(
        "`{}` does not name a loader: write the file and the name of a DataLoader, a dataset, an "
        "iterable or a function in it, such as train.py:loader",
        word)};
  const std::string file = word.substr(0, colon);
  loader.name = word.substr(colon + 1);
  loader.file = fs::absolute(file, error);
  if (!fs::exists(loader.file, error)) return Error{fmt::format("{} does not exist", file)};
  if (!fs::is_regular_file(loader.file, error)) return Error{fmt::format("{} is not a file", file)};
  if (::access(loader.file.c_str(), R_OK) != 0)
    return Error{fmt::format("{} cannot be read: permission denied", file)};
  if (loader.file.extension() != ".py")
    return Error{fmt::format("{} is not a Python file: its name must end in .py", file)};
  MILLRACE_ASSIGN_OR_RETURN(loader.interpreter, interpreterAt(interpreter));
  return loader;
}

std::string shownName(const OwnLoader& loader) {
  return loader.file.filename().string() + ":" + loader.name;
}

std::string documentOf(const OwnLoader& loader) {
  const std::string content = contentOf(loader.file);
  nlohmann::json json = {{"file", validUtf8(loader.file.string())},
                         {"file_digest", fmt::format("{:016x}-{}", fnv1a(content), content.size())},
                         {"name", validUtf8(loader.name)},
                         {"python", validUtf8(loader.interpreter.string())}};
  if (loader.samples > 0) json["samples"] = loader.samples;
  if (loader.stepSeconds > 0) json["step_seconds"] = loader.stepSeconds;
  return nlohmann::json{{"loader", json}}.dump(2) + "\n";
}

}  // namespace millrace
