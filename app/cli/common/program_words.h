// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace millrace::cli {

/// How a suggested command begins: "millrace", or "millrace --on gpu1" if it is read there. Main
/// thread.
const std::string& programWords();
void setProgramWords(std::string words);

}  // namespace millrace::cli
