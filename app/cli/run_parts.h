// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/pipeline_input.h"
#include "app/cli/run_flags.h"
#include "core/events/event_json.h"
#include "core/run/data_facts.h"
#include "core/run/store_recorder.h"

namespace millrace::cli {

// What `millrace run` does alike in one process and with several ranks.

/// Prints why a pipeline does not run, with `events` as a stream too.
void tellProblems(const std::vector<Problem>& problems, bool events);

/// Begins a run in the store. Nothing: it is not kept, and standard error says why where it should
/// have been.
std::unique_ptr<StoreRecorder> beginKeeping(const KeepFlags& keep, const PreparedPipeline& prepared,
                                            const std::string& pipeline, const Facts& facts);

/// "kept as run 7: millrace runs show 7"; empty: it is not.
std::string keptLine(const KeepFlags& keep, const RunIdentity& identity);

/// What comes to light of data and machine while a run is measured. One thread.
class RunSurroundings {
 public:
  RunSurroundings(std::shared_ptr<const Source> source, bool fingerprint);

  /// The facts that `before` does not hold.
  Facts factsOf(const RunResult& result, const Facts& before);

 private:
  const std::shared_ptr<const Source> m_source;
  const std::optional<std::uint64_t> m_throttles;
  std::optional<FingerprintJob> m_fingerprint;
};

bool hasFact(const Facts& facts, std::string_view key);

/// Says on standard error where the processor grew too hot meanwhile.
void warnOfHeat(const Facts& facts);

/// The exit code of a run that has ended so; `tellReason`: standard error says why it failed.
int exitCodeOf(const RunResult& result, bool tellReason);

}  // namespace millrace::cli
