// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "app/cli/command.h"
#include "core/base/result.h"
#include "core/store/run_store.h"

namespace millrace::cli {

// What the commands under `millrace runs` share. One file a command adds itself to `runs`.

void addRunsList(CLI::App& runs, Action& action);
void addRunsShow(CLI::App& runs, Action& action);
void addRunsCompare(CLI::App& runs, Action& action);

/// `--store` and `--json`.
struct StoreArguments {
  std::string store;
  bool json = false;

  void addTo(CLI::App& command);
  /// The file of `--store`, else the person's own.
  std::filesystem::path file() const;
};

/// "error: ..." on standard error; gives `code` back. Bytes that are not UTF-8 become U+FFFD.
int fail(const std::string& message, int code);

/// What to say where there is no run at all.
std::string noRunsYet();

/// Opens the store for reading and lets `work` use it; `empty` is called where there is no such
/// file. A store that cannot be read is the error with kFailed.
int withStore(const std::filesystem::path& file, const std::function<int()>& empty,
              const std::function<int(RunStore&)>& work);

/// A run by its number, the beginning of its id, or "last".
Result<RunNumber> runNamed(RunStore& store, const std::string& which);

}  // namespace millrace::cli
