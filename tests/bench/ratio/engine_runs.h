// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/plan.h"
#include "core/run/executor.h"

namespace millrace::bench {

/// A prepared pipeline that can be run repeatedly.
struct BenchPipeline {
  std::unique_ptr<Plan> plan;
  CacheSet caches;
};

/// From JSON text; ends the program with the problems if it is not valid.
BenchPipeline pipelineFrom(const std::string& json);

/// Samples per second between two batches at least `seconds` apart, after `warmup` seconds.
double engineRate(const BenchPipeline& pipeline, double warmup, double seconds);

/// Rates of two ways to do the same work, measured in alternation.
struct Comparison {
  std::vector<double> first;
  std::vector<double> second;
};
Comparison inTurns(int blocks, const std::function<double()>& first,
                   const std::function<double()>& second);

/// Geometric mean of the blocks' ratios with its 95 % interval, and both rates' means.
void printRatio(const std::string& name, const std::string& unit, const Comparison& comparison);

}  // namespace millrace::bench
