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
#include "core/proposal/pipeline_proposal.h"

namespace millrace {

/// "tfrecord", "webdataset", "folder", "numpy", "lmdb", "mds", "recordio", "hdf5".
std::string_view nameOf(TargetKind kind);
std::optional<TargetKind> targetKindNamed(std::string_view name);
/// By the end of a target's name; nothing where that says nothing.
std::optional<TargetKind> targetKindOf(const std::filesystem::path& target);
/// Whether a target of this name is one file, not a folder of shards.
bool isOneFile(const std::filesystem::path& target, TargetKind kind);

struct ConvertJob {
  std::shared_ptr<const Source> source;
  TargetKind kind = TargetKind::TfRecord;
  std::filesystem::path target;
  PictureOptions pictures;
  std::uint64_t shardBytes = 256'000'000;  ///< of a target that is a folder of shards
  int gzip = 0;                            ///< WriteSpec::gzip
  bool lz4 = false;                        ///< WriteSpec::lz4; pictures become pixels
  unsigned workers = 1;
  std::uint64_t allowedFailures = 0;
  IfThere ifThere = IfThere::Refuse;
  bool resume = false;
  bool verify = false;  ///< every sample; that all are there is always looked at
};

struct ConvertProgress {
  std::string_view doing;  ///< "writing", "verifying"
  std::uint64_t done = 0;  ///< samples of the source, or of the target
  std::uint64_t of = 0;
};

/// What became of it.
struct ConvertOutcome {
  bool interrupted = false;  ///< the target is not there; resuming goes on
  std::uint64_t sourceSamples = 0;
  std::uint64_t resumedAt = 0;       ///< samples of the source that an earlier conversion had done
  std::uint64_t resumedSamples = 0;  ///< of the target that were there then
  std::uint64_t samples = 0;
  std::uint64_t bytesRead = 0;
  std::uint64_t bytesWritten = 0;  ///< as the target's files have them
  std::uint64_t files = 0;
  std::uint64_t failed = 0;
  std::vector<std::pair<std::string, std::string>> failures;  ///< the first ones: sample, reason
  std::vector<FieldSpec> fields;
  std::vector<std::string> notes;
  std::optional<PipelineProposal> proposal;  ///< reads the target
};

/// Writes a data set anew. The target appears whole, by one rename, or not at all; an error leaves
/// nothing behind, an interruption what a later conversion can resume. Samples that fail are left
/// out and named; more of them than allowed are an error. `go` is asked several times a second and
/// ends it by false.
Result<ConvertOutcome> convertData(const ConvertJob& job,
                                   const std::function<bool(const ConvertProgress&)>& go);

}  // namespace millrace
