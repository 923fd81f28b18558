// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "core/remote/remote_words.h"
#include "core/remote/ssh_command.h"

namespace CLI {
class App;
}

namespace millrace::cli {

/// The options of `run` that are about keeping and showing the run, which is done here.
std::set<std::string> runFlagsOfHere();

/// `millrace --on HOST run`: the run is measured there, kept here, and shown as one of this
/// machine. `request` is the command without runFlagsOfHere. Returns the exit code.
int runThere(const CLI::App& command, const SshSettings& settings, RemoteRequest request);

}  // namespace millrace::cli
