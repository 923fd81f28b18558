// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_loader/own_loader.h"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/random.h"
#include "core/base/text/text.h"
#include "core/own_python/interpreter.h"
#include "core/own_python/python_parts.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// The arguments that are set, as an object.
nlohmann::json setJson(const OwnLoader& loader) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [name, value] : loader.set) json[validUtf8(name)] = validUtf8(value);
  return json;
}

}  // namespace

Result<OwnLoader> findOwnLoader(const std::string& word, const std::string& interpreter) {
  OwnLoader loader;
  const std::size_t colon = word.rfind(':');
  std::error_code error;
  if (colon == std::string::npos || colon == 0 || !isPythonPath(word.substr(colon + 1)))
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
  MILLRACE_ASSIGN_OR_RETURN(loader.interpreter,
                            findInterpreter(interpreter, "the setting `python`"));
  return loader;
}

Status addArgument(OwnLoader& loader, const std::string& entry) {
  const std::size_t equals = entry.find('=');
  if (equals == std::string::npos || equals == 0)
    return Error{"the setting `set` of a loader is NAME=VALUE, such as num_workers=4"};
  loader.set.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  return {};
}

std::string shownName(const OwnLoader& loader) {
  std::string shown = loader.file.filename().string() + ":" + loader.name;
  for (const auto& [name, value] : loader.set) shown += fmt::format(", {}={}", name, value);
  return shown;
}

std::string contentOf(const OwnLoader& loader) {
  std::ifstream in(loader.file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string documentOf(const OwnLoader& loader) {
  const std::string content = contentOf(loader);
  nlohmann::json json = {{"file", validUtf8(loader.file.string())},
                         {"file_digest", fmt::format("{:016x}-{}", fnv1a(content), content.size())},
                         {"name", validUtf8(loader.name)},
                         {"python", validUtf8(loader.interpreter.string())}};
  if (!loader.set.empty()) json["set"] = setJson(loader);
  if (loader.samples > 0) json["samples"] = loader.samples;
  if (loader.stepSeconds > 0) json["step_seconds"] = loader.stepSeconds;
  return nlohmann::json{{"loader", json}}.dump(2) + "\n";
}

std::vector<std::string> harnessCommand(const OwnLoader& loader, const std::string& parts) {
  const nlohmann::json settings = {{"name", validUtf8(loader.name)},
                                   {"set", setJson(loader)},
                                   {"samples", loader.samples},
                                   {"step", loader.stepSeconds},
                                   {"about", loader.about}};
  return pythonCommand(loader.interpreter.string(), parts, "harness", settings.dump(),
                       loader.file.string());
}

}  // namespace millrace
