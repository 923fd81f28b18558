// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/jobs/loader/loader_diagnosis.h"
#include "core/tune/diagnosis_outcome.h"

namespace millrace::cli {

/// The page for the user, within 80 columns and without colour. `storeFlag`: KeepFlags::suggested.
std::string diagnosisText(const DiagnosisOutcome& outcome, const std::string& storeFlag);
/// The same of a user's own loader; `name` is the loader as the user gave it.
std::string loaderDiagnosisText(const LoaderDiagnosisOutcome& outcome, const std::string& name,
                                const std::string& storeFlag);
std::string loaderDiagnosisJson(const LoaderDiagnosisOutcome& outcome);
/// A batch's time as a bar of `width` letters: `F` fetch, `P` prepare, `T` transfer, `S` step.
std::string stallBar(const StallSplit& split, std::size_t width);

// The parts of both pages.
inline constexpr std::size_t kPageDeep = 6;  ///< columns before what belongs to an item
std::string pageItem(const std::string& text);
std::string pageSection(const char* title);

}  // namespace millrace::cli
