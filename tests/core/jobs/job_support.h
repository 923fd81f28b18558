// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/jobs/common/job_input.h"
#include "core/jobs/common/keep_settings.h"
#include "core/jobs/common/kept_runs.h"
#include "tests/support/temporary_folder.h"

namespace millrace::tests {

/// Synthetic samples before a step of `stepSeconds`, which sets the rate on any machine.
inline std::string steppedDocument(const std::string& stepSeconds) {
  return R"({"format_version": 1, "seed": 3, "nodes": [
    {"id": "synthetic", "kind": "synthetic", "params": {"count": 1000}},
    {"id": "workers", "kind": "workers", "params": {"count": 2}},
    {"id": "batch", "kind": "batch", "params": {"size": 8}},
    {"id": "prefetch", "kind": "prefetch"},
    {"id": "step", "kind": "emulated_step", "params": {"seconds": )" +
         stepSeconds + R"(}}],
    "wires": [{"from": "synthetic", "to": "workers"}, {"from": "workers", "to": "batch"},
    {"from": "batch", "to": "prefetch"}, {"from": "prefetch", "to": "step"}]})";
}

inline PipelineRequest steppedRequest(const std::string& stepSeconds = "0.001") {
  PipelineRequest request;
  request.pipeline = "stepped.millrace.json";
  request.document = steppedDocument(stepSeconds);
  return request;
}

/// That pipeline, ready to run.
inline PreparedPipeline steppedPipeline(const std::string& stepSeconds = "0.001") {
  SampleDataObserver observer;
  Problems problems;
  return *preparePipeline(steppedRequest(stepSeconds), observer, problems);
}

/// A store in `folder` that jobs keep their runs in.
inline KeepSettings keptIn(const TemporaryFolder& folder) {
  KeepSettings keep;
  keep.file = folder.path() / "runs.sqlite";
  return keep;
}

inline KeepSettings notKept() {
  KeepSettings keep;
  keep.keep = false;
  return keep;
}

/// The value of a fact of a kept run; empty without it.
inline std::string factOfRun(const RunDetails& run, std::string_view key) {
  for (const auto& [known, value] : run.environment)
    if (known == key) return value;
  return {};
}

}  // namespace millrace::tests
