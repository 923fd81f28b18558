// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/tune/diagnosis_outcome.h"

namespace millrace::cli {

/// The page for the user, within 80 columns and without colour. `storeFlag`: KeepFlags::suggested.
std::string diagnosisText(const DiagnosisOutcome& outcome, const std::string& storeFlag);
/// A batch's time as a bar of `width` letters: `F` fetch, `P` prepare, `T` transfer, `S` step.
std::string stallBar(const StallSplit& split, std::size_t width);

}  // namespace millrace::cli
