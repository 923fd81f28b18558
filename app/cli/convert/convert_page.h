// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/convert/conversion.h"

namespace millrace::cli {

/// The page for the user, in 80 columns.
std::string convertedPage(const Converted& done);

}  // namespace millrace::cli
