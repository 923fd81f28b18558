// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sample_data/sample_making.h"

#include <unistd.h>

#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "app/cli/run/run_control.h"
#include "core/open/sample_needs.h"
#include "core/sample_data/sample_data.h"

namespace millrace::cli {

namespace {

Status makeOne(const std::string& name) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  bool said = false;
  const auto made = ensureSampleData(name, [&](std::uint32_t done, std::uint32_t of) {
    if (!said) fmt::print(stderr, "generating the sample data `{}`, only this once\n", name);
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
  for (const std::string& name : sampleNeeds(graph)) MILLRACE_TRY(makeOne(name));
  return {};
}

}  // namespace millrace::cli
