// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/loader/loader_arguments.h"

namespace millrace::cli {

/// `diagnose` of a user's own loader; returns the exit code.
int diagnoseLoader(const LoaderArguments& arguments);

}  // namespace millrace::cli
