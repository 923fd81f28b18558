// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/convert/sample_maker.h"
#include "core/formats/format.h"
#include "core/inspect/pipeline_proposal.h"

namespace millrace {

/// What is converted, and how.
struct ConvertOptions {
  std::shared_ptr<const Source> source;
  const Format* format = nullptr;  ///< one that has a writer; always set
  std::filesystem::path target;
  PictureOptions pictures;
  /// The kind of the source, if it can make each page of a picture a sample; named in notes.
  std::string pagesOf;
  /// Size of a shard, for targets that are folders of shards.
  std::uint64_t shardBytes = 256'000'000;
  int gzip = 0;        ///< WriteSpec::gzip
  bool lz4 = false;    ///< WriteSpec::lz4; pictures become pixels
  bool lossy = false;  ///< leaves out fields that the format cannot store, instead of an error
  unsigned workers = 1;
  std::uint64_t allowedFailures = 0;
  IfThere ifThere = IfThere::Refuse;
  bool resume = false;
  bool verify = false;  ///< reads every sample back; their number is always checked
};

struct ConvertProgress {
  std::string_view doing;  ///< "writing" or "verifying"
  std::uint64_t done = 0;  ///< samples of the source while writing, of the target while verifying
  std::uint64_t of = 0;
};

/// The result of a conversion.
struct ConvertOutcome {
  bool interrupted = false;  ///< the target does not exist yet; the conversion can be resumed
  std::uint64_t sourceSamples = 0;
  /// Samples of the source that an earlier, stopped conversion had processed.
  std::uint64_t resumedAt = 0;
  std::uint64_t resumedSamples = 0;  ///< samples of the target that it had written
  std::uint64_t samples = 0;
  std::uint64_t bytesRead = 0;
  std::uint64_t bytesWritten = 0;  ///< size of the target's files
  std::uint64_t files = 0;
  std::uint64_t failed = 0;
  std::vector<std::pair<std::string, std::string>> failures;  ///< the first ones: sample and reason
  std::vector<FieldSpec> fields;
  std::vector<std::string> notes;
  std::optional<PipelineProposal> proposal;  ///< a pipeline that reads the target
};

/// A finished conversion with facts about how it was asked for. Value.
struct Converted {
  std::string source;  ///< as named by the user
  std::string target;
  std::string kind;  ///< the target's format: "tfrecord"
  ConvertOutcome outcome;
  double seconds = 0;
  bool verified = false;  ///< every sample was compared
  std::string next;       ///< the suggested next command

  /// Of those written by this conversion, not by the stopped one that it continues.
  double samplesPerSecond() const;
};

/// Converts a data set. The target appears complete, by one rename, or not at all. After an error
/// nothing is left; after an interruption, a later conversion can resume. Samples that fail are
/// left out and listed; more of them than allowed are an error. `go` is called several times a
/// second; returning false interrupts the conversion. Starts its own threads; blocks until they are
/// done.
Result<ConvertOutcome> convertData(const ConvertOptions& job,
                                   const std::function<bool(const ConvertProgress&)>& go);

}  // namespace millrace
