// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fmt/format.h>

namespace millrace::tests {

struct Stepped {
  int samples = 1000;
  int workers = 1;
  int batchSize = 8;
  double stepSeconds = 0.01;
};

/// A pipeline whose rate is set by its step, on any machine.
inline std::string steppedPipeline(const Stepped& stepped) {
  return fmt::format(R"({{"format_version": 1, "nodes": [
  {{"id": "source", "kind": "synthetic", "params": {{"count": {}}}}},
  {{"id": "workers", "kind": "workers", "params": {{"count": {}}}}},
  {{"id": "batch", "kind": "batch", "params": {{"size": {}}}}},
  {{"id": "prefetch", "kind": "prefetch", "params": {{"batches": 2}}}},
  {{"id": "step", "kind": "emulated_step", "params": {{"seconds": {}}}}}],
  "wires": [{{"from": "source", "to": "workers"}}, {{"from": "workers", "to": "batch"}},
            {{"from": "batch", "to": "prefetch"}}, {{"from": "prefetch", "to": "step"}}]}})",
                     stepped.samples, stepped.workers, stepped.batchSize, stepped.stepSeconds);
}

/// An epoch takes 100 s, so it runs until it is stopped.
inline const std::string kLongPipeline = steppedPipeline({.samples = 100000, .batchSize = 10});

}  // namespace millrace::tests
