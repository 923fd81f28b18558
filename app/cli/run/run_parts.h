// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/common/pipeline_input.h"
#include "app/cli/run/run_flags.h"
#include "core/events/event_json.h"
#include "core/measure/data_facts.h"
#include "core/measure/store_recorder.h"

namespace millrace::cli {

// Shared by `millrace run` with one process and with several ranks.

/// Prints why a pipeline does not run; with `events`, also as events.
void tellProblems(const std::vector<Problem>& problems, bool events);

/// Begins a run in the store. nullptr: it is not kept; if it should have been, standard error says
/// why.
std::unique_ptr<StoreRecorder> beginKeeping(const KeepFlags& keep, const PreparedPipeline& prepared,
                                            const std::string& pipeline, const Facts& facts);

/// "kept as run 7: millrace runs show 7"; empty if it is not kept.
std::string keptLine(const KeepFlags& keep, const RunIdentity& identity);

/// Collects facts about data and machine that become known while a run is measured. One thread.
class RunSurroundings {
 public:
  RunSurroundings(std::shared_ptr<const Source> source, bool fingerprint);

  /// The facts that `before` does not contain.
  Facts factsOf(const RunResult& result, const Facts& before);

 private:
  const std::shared_ptr<const Source> m_source;
  const std::optional<std::uint64_t> m_throttles;
  std::optional<FingerprintJob> m_fingerprint;
};

bool hasFact(const Facts& facts, std::string_view key);

/// Warns on standard error if the processor overheated meanwhile.
void warnOfHeat(const Facts& facts);

/// The exit code of an ended run; `tellReason`: print why it failed.
int exitCodeOf(const RunResult& result, bool tellReason);

}  // namespace millrace::cli
