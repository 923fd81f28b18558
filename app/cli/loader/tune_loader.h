// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/loader/loader_arguments.h"

namespace millrace::cli {

/// `millrace loader --tune`: finds better arguments for a DataLoader, and prints them as lines for
/// the user's file. Returns the exit code.
int tuneLoader(const LoaderArguments& arguments);

}  // namespace millrace::cli
