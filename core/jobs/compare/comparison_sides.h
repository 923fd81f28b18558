// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/jobs/common/job_input.h"
#include "core/measure/data_facts.h"
#include "core/own_loader/own_loader.h"
#include "core/run/run_parts.h"
#include "core/tune/comparison_outcome.h"

namespace millrace {

/// The two sides as the user names them.
struct SideRequests {
  /// A file, an example's name, a kept run ("12", "last"), or a loader ("train.py:loader").
  std::array<std::string, 2> names;
  /// Replaces the document that a name names, for example by standard input's.
  std::array<std::optional<std::string>, 2> documents;
  std::vector<std::string> data;  ///< [A:|B:]PATH; without a letter for both sides
  /// [A:|B:]NODE.PARAM=VALUE, or of a loader [A:|B:]NAME=VALUE.
  std::vector<std::string> settings;
  PipelineRequest both;            ///< the rest; its edits may have a side, [A:|B:]
  std::filesystem::path store;     ///< the store with the kept runs
  std::string python = "python3";  ///< runs the loaders
};

/// A pipeline, ready to run.
struct PipelineSide {
  PreparedPipeline prepared;
  CacheSet caches;
};

/// One of the two sides.
struct ComparisonSide {
  std::string pipeline;  ///< file, example or loader; for a kept run, that of the run
  std::string name;      ///< the same, preceded by the number of a kept run
  std::variant<PipelineSide, OwnLoader> what;
  Facts facts;  ///< machine, engine; of a pipeline the data, and its fingerprint if known in time

  const PipelineSide* asPipeline() const { return std::get_if<PipelineSide>(&what); }
  const OwnLoader* asLoader() const { return std::get_if<OwnLoader>(&what); }
  /// What the store keeps in the place of a pipeline's document.
  std::string document() const;
  std::string fact(const std::string& key) const;
  void setFact(const std::string& key, const std::string& value);
};
using ComparisonSides = std::vector<std::unique_ptr<ComparisonSide>>;

std::unique_ptr<ComparisonSide> loaderSide(OwnLoader loader);

/// The values for one side: those without a letter, and those with its letter.
std::vector<std::string> valuesFor(std::size_t side, const std::vector<std::string>& values);

/// Loads, checks with the data open, and plans both. nullopt: see `problems`; each problem names
/// its side.
std::optional<ComparisonSides> prepareSides(const SideRequests& requests,
                                            SampleDataObserver& observer, Problems& problems);

/// What prevents a verdict, by the rules of core/compare/conditions.h for kept runs: different
/// data.
std::vector<std::string> notAlikeIn(const ComparisonSides& sides);
/// How the streams that reach the consumer differ; empty if they are equal, or if one is a
/// loader's.
std::string differentStreams(const ComparisonSides& sides);

/// The differences between the two, of pipelines in chain order.
std::vector<SideDifference> differencesOf(const ComparisonSides& sides);

}  // namespace millrace
