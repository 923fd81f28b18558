// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// How another machine is reached. Value.
struct SshSettings {
  std::string host;  ///< as `ssh` takes it
  /// `millrace` there: a path, or a name to be found in its PATH.
  std::string program = "millrace";
  std::filesystem::path config{};   ///< replaces ~/.ssh/config; empty: `ssh`'s own
  std::filesystem::path sockets{};  ///< folder of shared connections; empty: none is shared
  bool asks = false;                ///< `ssh` may ask on the terminal
};

/// The words after `--on` that `ssh` takes as a host: `user@host`, an alias,
/// `ssh://user@host:port`. An error for anything that `ssh` or a shell could take as something
/// else.
Status checkHost(std::string_view host);

/// A folder that only this user can read, for the sockets of shared connections; created if it is
/// missing. Empty if there is none that `ssh` can use: a socket's path has to be short.
std::filesystem::path socketFolder();

/// The command that starts `millrace` there; its last word is what the shell there reads. Pure.
std::vector<std::string> sshCommand(const SshSettings& settings);

}  // namespace millrace
