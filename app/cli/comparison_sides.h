// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/pipeline_input.h"
#include "core/run/data_facts.h"
#include "core/run/run_parts.h"

namespace millrace::cli {

inline constexpr std::array<const char*, 2> kSideLetters = {"A", "B"};

/// How a person names what is compared.
struct SideArguments {
  std::array<std::string, 2> names;   ///< a file, an example's name, `-`, or a kept run
  std::vector<std::string> data;      ///< --data [A:|B:]PATH
  std::vector<std::string> settings;  ///< --set [A:|B:]NODE.PARAM=VALUE
  PipelineArguments both;             ///< --seed --base --no-random --no-fuse
  std::filesystem::path store;        ///< where kept runs are looked up
};

/// One of the pipelines that are compared, ready to run.
struct ComparisonSide {
  std::string pipeline;  ///< file or example, of a kept run the one that was run
  std::string name;      ///< the same, with the kept run's number in front
  PreparedPipeline prepared;
  CacheSet caches;
  Facts facts;  ///< machine, engine, data and its fingerprint where it is known soon

  std::string fact(const std::string& key) const;
  void setFact(const std::string& key, const std::string& value);
};
using ComparisonSides = std::vector<std::unique_ptr<ComparisonSide>>;

/// The values meant for one side: those without a side, and those of its letter.
std::vector<std::string> valuesFor(std::size_t side, const std::vector<std::string>& values);

/// Loads, checks with the data open, and plans both. Nothing: `problems` says why; each names its
/// side.
std::optional<ComparisonSides> prepareSides(const SideArguments& arguments, Problems& problems);

/// What keeps the two from a verdict, as core/compare/conditions.h has it of kept runs: other data.
std::vector<std::string> notAlikeIn(const ComparisonSides& sides);
/// What reaches the consumer, where that is not the same; empty: it is.
std::string differentStreams(const ComparisonSides& sides);

/// Something that one of the pipelines has otherwise.
struct SideDifference {
  std::string what;  ///< "workers.count", or a node's id
  std::string a;     ///< "-" where that side does not have it
  std::string b;
};
std::vector<SideDifference> differencesOf(const ComparisonSides& sides);

}  // namespace millrace::cli
