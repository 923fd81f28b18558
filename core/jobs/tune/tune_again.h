// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/jobs/tune/kept_tuning.h"
#include "core/jobs/tune/tune_meaning.h"
#include "core/open/pipeline_request.h"

namespace millrace {

// A kept tuning that a program asks for again, to continue it or to replay it.

/// Which kept tuning, and what for. Value.
struct TuneAgain {
  bool replay = false;     ///< search with its trials, without measuring; otherwise continue it
  std::string experiment;  ///< of a tuning to continue also empty: the newest stopped one
};

/// The document of a loaded pipeline in the form in which a tuning keeps it.
std::string tunedDocumentOf(const LoadedPipeline& loaded);

/// That tuning. `document`: of the pipeline that was named, which must be the kept one; empty: none
/// was. The error says why it cannot be used.
Result<KeptTuning> tuningAgain(const std::filesystem::path& file, const TuneAgain& again,
                               const std::string& document);

/// What is missing from a kept tuning that is needed to search again; empty: nothing.
std::string lackOf(const KeptTuning& kept);

/// Refuses requests that the trials of a kept tuning can never answer. `cores`: as requested.
Status withinReach(const KeptTuning& kept, const TuneMeaning& meaning,
                   std::optional<std::int64_t> cores);

/// The cores that the trials of a kept tuning were restricted to, "0,1"; empty: all.
std::string keptCoresOf(const KeptTuning& kept);

}  // namespace millrace
