// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/jobs/named/job_kinds.h"
#include "core/jobs/tune/tune_again.h"

namespace millrace {

/// The options of a named tuning. Value.
struct TuneOptions {
  /// What is asked of the search; absent: by default, or as in the kept tuning.
  struct Asked {
    std::optional<std::string> budget;
    std::optional<std::string> memory;
    std::optional<std::string> goal;
    std::optional<std::uint64_t> cores;
    std::vector<std::string> allow;  ///< empty: absent
    std::vector<std::string> vary;   ///< empty: absent
  };

  PipelineRequest pipeline;  ///< of a kept tuning it may be empty
  TuneRequest measure;       ///< how its trials are measured, unless they are kept ones
  Asked asked;
  KeepSettings keep;               ///< an empty experiment: a name is chosen
  std::optional<TuneAgain> again;  ///< replays or continues a kept tuning

  /// The request of `kept`, or a new one, with what is asked.
  TuneRequest requestOver(const std::optional<KeptTuning>& kept) const;
};

/// The keys of `tune` (docs/reference/jobs.md).
TuneOptions readTuneOptions(JobOptions& options);

}  // namespace millrace
