// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/remote_words.h"
#include "core/remote/ssh_command.h"

namespace CLI {
class App;
}

namespace millrace::cli {

/// `millrace --on HOST run`: the run is measured there, kept here, and shown as one of this
/// machine. `request` has the documents and the terminal. Returns the exit code.
int runThere(const CLI::App& command, const SshSettings& settings, RemoteRequest request);

}  // namespace millrace::cli
