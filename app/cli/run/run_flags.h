// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/jobs/common/keep_settings.h"
#include "core/run/failure_budget.h"

namespace CLI {
class App;
}

namespace millrace::cli {

// Flags with the same meaning in every command that runs pipelines.

/// `--store`, `--no-store`, `--experiment`, `--name` and `--tag`: where runs are kept, and their
/// labels.
struct KeepFlags {
  std::string store;
  bool noStore = false;
  RunLabels labels;

  /// `what` is kept: "the run", "the runs".
  void addTo(CLI::App& command, const std::string& what);
  std::filesystem::path file() const;
  KeepSettings settings() const { return {!noStore, file(), labels}; }
  /// An error if nothing could be kept: the store, which is created if it is missing, cannot be
  /// written. Call it before measuring. With an event stream nothing is refused: its reader sees
  /// that the run has no number, and may stop it.
  Status mayKeep(bool events) const;
  /// " --store FILE", quoted for a shell, if it was given; for suggested commands.
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
