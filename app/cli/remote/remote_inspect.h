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

/// Whether `inspect` shall write a pipeline.
bool writesPipeline(const CLI::App& command);

/// The options of `inspect` that are about the pipeline's file and the view, which are made here.
std::set<std::string> inspectFlagsOfHere();

/// `millrace --on HOST inspect PATH -o FILE`: the data is examined there, the pipeline is written
/// here. `request` is the command without inspectFlagsOfHere. Returns the exit code.
int inspectThere(const CLI::App& command, const SshSettings& settings, RemoteRequest request);

}  // namespace millrace::cli
