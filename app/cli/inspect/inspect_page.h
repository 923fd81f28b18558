// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/inspect/inspection.h"

namespace millrace::cli {

/// The page for the user, in 80 columns.
std::string inspectionPage(const Inspection& found);

/// Prints why there is no proposal, with the folders below that have one. Returns the exit code.
int refuseNoPipeline(const Inspection& found);

}  // namespace millrace::cli
