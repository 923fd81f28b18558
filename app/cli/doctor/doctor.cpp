// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace doctor`: what is installed, what is missing, and the consequences.
#include <cstdio>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/common/version.h"
#include "app/cli/doctor/doctor_facts.h"
#include "app/cli/doctor/doctor_gpu.h"
#include "core/base/parts.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_text.h"
#include "core/events/json/json_text.h"
#include "core/kernels/vector_level.h"
#include "core/monitor/environment.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

struct Doctor {
  std::vector<std::pair<std::string, std::string>> machine;
  std::vector<std::pair<std::string, std::string>> libraries;
  std::span<const OptionalPart> parts;
  std::vector<std::pair<std::string, std::string>> cuda;
  GpuReport gpu;
  PlaceFact store;
  PlaceFact cache;
  std::size_t kinds = 0;
  std::map<std::string, std::string> plugins;  ///< name and file
  std::vector<std::string> refusedPlugins;     ///< why, a sentence each

  bool fine() const { return store.trouble.empty() && cache.trouble.empty() && kinds > 0; }
};

Doctor examine() {
  Doctor doctor;
  const Environment environment = readEnvironment();
  doctor.machine = environmentFacts(environment);
  doctor.machine.emplace_back("vector_level", vectorLevel());
  doctor.libraries = libraryVersions();
  doctor.parts = allParts();
  doctor.cuda = cudaLines();
  doctor.gpu = examineGpu();
  doctor.store = storeFact();
  doctor.cache = cacheFact();
  doctor.kinds = builtinCatalog().all().size();
  for (const NodeSpec& spec : builtinCatalog().all())
    if (!spec.plugin.empty()) doctor.plugins[spec.plugin] = validUtf8(spec.pluginFile);
  doctor.refusedPlugins = builtinCatalog().refused();
  return doctor;
}

Json partsJson(std::span<const OptionalPart> parts) {
  Json json = Json::object();
  for (const OptionalPart& part : parts)
    json[std::string(part.name)] = {{"built", part.built},
                                    {"title", part.title},
                                    {"version", part.version.empty() ? Json() : Json(part.version)},
                                    {"use", part.use},
                                    {"package", part.package}};
  return json;
}

/// What follows the title of a part.
std::string partLine(const OptionalPart& part) {
  if (!part.built) return fmt::format("missing, needed for {}; {}", part.use, remedyFor(part));
  return part.version.empty() ? "built in" : std::string(part.version);
}

Json placeJson(const PlaceFact& place) {
  return {{"path", validUtf8(place.path.string())},
          {"state", validUtf8(place.state)},
          {"trouble", orNull(validUtf8(place.trouble))}};
}

std::string doctorJson(const Doctor& doctor) {
  Json gpuLibraries = Json::object();
  for (const GpuPart& part : doctor.gpu.parts) gpuLibraries[part.library] = part.found;
  const Json json = {
      {"engine_version", kVersion},
      {"machine", Json::object_t(doctor.machine.begin(), doctor.machine.end())},
      {"libraries", Json::object_t(doctor.libraries.begin(), doctor.libraries.end())},
      {"parts", partsJson(doctor.parts)},
      {"gpu", doctor.gpu.any()},
      {"gpu_libraries", gpuLibraries},
      {"cuda", Json::object_t(doctor.cuda.begin(), doctor.cuda.end())},
      {"gpu_report", gpuReportJson(doctor.gpu)},
      {"store", placeJson(doctor.store)},
      {"cache", placeJson(doctor.cache)},
      {"kinds", doctor.kinds},
      {"plugins", doctor.plugins},
      {"refused_plugins", doctor.refusedPlugins},
      {"ok", doctor.fine()}};
  return prettyJson(json);
}

void printLine(const std::string& name, const std::string& value) {
  print("{}", doctorLine(name, value));
}

std::string shown(const std::string& key, const std::string& value) {
  const bool bytes = key == "memory_bytes" || key == "memory_limit_bytes";
  return bytes ? humanBytes(std::strtod(value.c_str(), nullptr)) : value;
}

int printDoctor(const Doctor& doctor) {
  print("millrace {}\n\nmachine\n", kVersion);
  for (const auto& [key, value] : doctor.machine) printLine(key, shown(key, value));
  print("\nlibraries\n");
  for (const auto& [key, value] : doctor.libraries) printLine(key, value);
  print("\noptional parts\n");
  for (const OptionalPart& part : doctor.parts) printLine(std::string(part.title), partLine(part));
  print("\nCUDA\n");
  for (const auto& [key, value] : doctor.cuda) printLine(key, value);
  print("{}", gpuReportText(doctor.gpu));
  print("\nplaces\n");
  printLine("store", doctor.store.path.string());
  printLine("", doctor.store.state);
  printLine("sample data", doctor.cache.path.string());
  printLine("", doctor.cache.state);
  printLine("node kinds", std::to_string(doctor.kinds));
  for (const auto& [name, file] : doctor.plugins) printLine("plug-in " + name, file);
  for (const std::string& refused : doctor.refusedPlugins) printLine("plug-in refused", refused);
  if (doctor.fine()) {
    print("\nall requirements are met\n");
    return kDone;
  }
  print("\nproblems:\n");
  for (const PlaceFact* place : {&doctor.store, &doctor.cache})
    if (!place->trouble.empty()) print("  {}", wrapped(visibleText(place->trouble), 2, 2));
  return kFailed;
}

}  // namespace

void addDoctor(CLI::App& app, Action& action) {
  auto json = std::make_shared<bool>(false);
  CLI::App* doctor = app.add_subcommand("doctor", "Show what this machine has and what is missing");
  doctor->footer(
      "Example: information to attach to a question\n"
      "  millrace doctor\n"
      "Exit code 1: a requirement is not met; see the last lines.");
  doctor->add_flag("--json", *json, "Print one JSON object");
  doctor->callback([json, &action] {
    action = [json] {
      const Doctor found = examine();
      if (!*json) return printDoctor(found);
      print("{}", doctorJson(found));
      return found.fine() ? kDone : kFailed;
    };
  });
}

}  // namespace millrace::cli
