// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/data/stream_type.h"

namespace millrace {

/// What is to be written, the same for every sample.
struct WriteSpec {
  std::filesystem::path folder;  ///< is there; nobody else writes into it
  std::string name;              ///< of the one file; with shards the begin of each file's name
  std::uint64_t shardBytes = 0;  ///< a new file before one grows beyond; 0: one file
  /// Encoded fields hold any number of bytes a sample; the others have known shapes. A label is one
  /// i64.
  std::vector<FieldSpec> fields;
  std::vector<std::string> classes;  ///< names of the labels, where they are known
  /// Level, 1 to 9, at which HDF5 packs rows of numbers and pixels; 0: they lie there plain. No
  /// other format does.
  int gzip = 0;
  bool lz4 = false;  ///< LMDB packs its values, of one field without a label, with LZ4
};

/// One sample of it. Borrowed.
struct WriteSample {
  std::string_view key;  ///< no two are equal; no dot in what stands behind the last slash
  std::span<const TensorView> values;  ///< of the fields, in their order
};

/// How far a writer is, for another one that goes on after a kill.
struct WriteMark {
  std::uint64_t samples = 0;
  std::uint32_t shard = 0;
  std::uint64_t place = 0;  ///< within the shard; what it counts is the writer's affair
};

/// Writes a data set into a folder. Files there may be of any state until finish() has succeeded;
/// the caller keeps them out of sight until then. Errors are sentences that name the file; after
/// one the writer is of no more use. One thread.
class DatasetWriter {
 public:
  virtual ~DatasetWriter() = default;
  virtual Status add(const WriteSample& sample) = 0;
  /// Puts all that was added on the disk; a writer that is opened with this mark goes on there.
  virtual Result<WriteMark> sync() = 0;
  /// Completes the last file and puts it on the disk.
  virtual Status finish() = 0;
  /// Bytes written so far.
  virtual std::uint64_t bytes() const = 0;
  /// For the list parameter by which the format's source node takes fields, an entry each (as
  /// parseExampleKeys reads them); empty: it needs to be told nothing.
  virtual std::vector<std::string> readBack() const { return {}; }
};

using OpenWriter = Result<std::unique_ptr<DatasetWriter>>;

/// The class's name as a part of file names: its own, or its number.
std::string classFolderName(const WriteSpec& spec, std::int64_t label);

/// The file name's usual extension of an encoded picture, by its first bytes: "jpg", "png", ...;
/// "bin" for what is none.
std::string_view extensionOf(std::span<const std::byte> file);

}  // namespace millrace
