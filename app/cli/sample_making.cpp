// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sample_making.h"

#include <unistd.h>

#include <cstdio>
#include <set>
#include <string>

#include <fmt/format.h>

#include "app/cli/run_control.h"
#include "core/samples/sample_data.h"

namespace millrace::cli {

namespace {

void collect(const ParamValue& param, std::set<std::string>& names) {
  const Value* value = std::get_if<Value>(&param);
  if (value == nullptr) return;
  const auto add = [&](const std::string& path) {
    if (const auto name = sampleNameOf(path)) names.insert(*name);
  };
  if (const auto* text = std::get_if<std::string>(value)) add(*text);
  if (const auto* list = std::get_if<TextList>(value))
    for (const std::string& path : *list) add(path);
}

Status makeOne(const std::string& name) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  bool said = false;
  const auto made = ensureSampleData(name, [&](std::uint32_t done, std::uint32_t of) {
    if (!said) fmt::print(stderr, "making the sample data `{}`, only this once\n", name);
    said = true;
    if (terminal) fmt::print(stderr, "\r\x1b[K  {} of {}", done, of);
    return !interruptPending();
  });
  if (said && terminal) fmt::print(stderr, "\r\x1b[K");
  if (!made) return made.error();
  return {};
}

}  // namespace

Status makeSamplesFor(const Graph& graph) {
  std::set<std::string> names;
  for (const GraphNode& node : graph.nodes)
    for (const auto& [param, value] : node.params) collect(value, names);
  for (const std::string& name : names) MILLRACE_TRY(makeOne(name));
  return {};
}

}  // namespace millrace::cli
