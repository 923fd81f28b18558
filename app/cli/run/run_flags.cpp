// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/run_flags.h"

#include <CLI/CLI.hpp>

#include "app/cli/runs/runs.h"
#include "core/store/run_store.h"

namespace millrace::cli {

void KeepFlags::addTo(CLI::App& command, const std::string& what) {
  auto* file =
      command.add_option("--store", store, "Keep " + what + " in this file")->type_name("FILE");
  command.add_flag("--no-store", noStore, "Do not keep " + what)->excludes(file);
  command.add_option("--experiment", labels.experiment, "Experiment that groups " + what);
  command.add_option("--name", labels.name, "Name of " + what);
  command.add_option("--tag", labels.tags, "Add a tag; can be repeated")->allow_extra_args(false);
}

std::filesystem::path KeepFlags::file() const { return storeFile(store); }

Status KeepFlags::mayKeep(bool events) const {
  if (noStore || events) return {};
  const auto opened = RunStore::open(file());
  if (!opened)
    return Error{opened.error().message + ", or measure without keeping it with --no-store"};
  return {};
}

std::string KeepFlags::suggested() const { return suggestedStore(store); }

void FailureFlag::addTo(CLI::App& command) {
  command.add_option("--max-failures", text, "Samples that may fail, as a number or a share (1%)")
      ->type_name("N|P%");
}

Result<FailureLimit> FailureFlag::limit() const {
  Result<FailureLimit> parsed = FailureLimit::parse(text);
  if (!parsed) return Error{"--max-failures: " + parsed.error().message};
  return parsed;
}

}  // namespace millrace::cli
