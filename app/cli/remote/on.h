// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/remote/ssh_command.h"

namespace CLI {
class App;
}

namespace millrace::cli {

/// `--on` and `--on-program`: on which machine a command works.
struct OnFlags {
  std::optional<std::string> host;
  std::string program = "millrace";

  void addTo(CLI::App& app);
  SshSettings settings() const;
  /// How a command for that machine begins: "millrace --on gpu1".
  std::string programWords() const;
};

/// Runs the command that `app` has parsed from `given` on that machine; returns the exit code. A
/// command that does not work there is refused.
int runOn(const CLI::App& app, const std::vector<std::string>& given, const OnFlags& flags);

}  // namespace millrace::cli
