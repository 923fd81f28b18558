// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/run/failure_budget.h"
#include "core/run/store_recorder.h"

namespace CLI {
class App;
}

namespace millrace::cli {

// Flags that mean the same in every command that runs pipelines.

/// `--store`, `--no-store`, `--experiment`, `--name` and `--tag`: where and as what runs are kept.
struct KeepFlags {
  std::string store;
  bool noStore = false;
  RunLabels labels;

  /// `what` is kept: "the run", "the runs".
  void addTo(CLI::App& command, const std::string& what);
  std::filesystem::path file() const;
  /// " --store FILE" as a shell takes it, where it was given: for commands that are suggested.
  std::string suggested() const;
};

/// `--max-failures`.
struct FailureFlag {
  std::string text = "1%";

  void addTo(CLI::App& command);
  /// The error names the flag.
  Result<FailureLimit> limit() const;
};

}  // namespace millrace::cli
