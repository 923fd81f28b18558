// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/spec/problem.h"

namespace CLI {
class App;
}

namespace millrace::cli {

/// The words that another program gets, so that it parses the same command: `given`, which `app`
/// has parsed, from the command's name on, without the program's own options and those of the
/// command in `without` ("--store").
std::vector<std::string> wordsToSend(const CLI::App& app, const std::vector<std::string>& given,
                                     const std::set<std::string>& without);

/// The documents of the pipelines that a command names, read from this machine. An example has
/// none: the program there has it, too. A name that is neither a file nor an example is a problem.
std::vector<std::pair<std::string, std::string>> documentsOf(const CLI::App& command,
                                                             Problems& problems);

}  // namespace millrace::cli
