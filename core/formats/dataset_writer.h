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

/// What is written; the same for every sample.
struct WriteSpec {
  std::filesystem::path folder;  ///< exists; no other process writes to it
  std::string name;  ///< of the single file; with shards, the prefix of the files' names
  /// Maximum size of a file before the next is started; 0: a single file.
  std::uint64_t shardBytes = 0;
  /// Encoded fields have any number of bytes per sample; other fields have known shapes. A label is
  /// a scalar i64.
  std::vector<FieldSpec> fields;
  std::vector<std::string> classes;  ///< names of the labels, if known
  /// Compression level, 1 to 9, for numbers and pixels in HDF5; 0: uncompressed. Other formats
  /// ignore it.
  int gzip = 0;
  bool lz4 = false;  ///< LMDB: compress values with LZ4; requires a single field, not a label
};

/// One sample to write. Borrowed.
struct WriteSample {
  std::string_view key;                ///< unique; without a dot after the last slash
  std::span<const TensorView> values;  ///< one per field, in order
};

/// The position of a writer, from which another one can continue after the process was killed.
struct WriteMark {
  std::uint64_t samples = 0;
  std::uint32_t shard = 0;
  std::uint64_t place = 0;  ///< within the shard, in a unit of the writer's choice
};

/// Writes a data set into a folder. Files are incomplete until finish() has succeeded; the caller
/// hides them until then. Errors are sentences that name the file; the writer must not be used
/// after one. One thread.
class DatasetWriter {
 public:
  virtual ~DatasetWriter() = default;
  virtual Status add(const WriteSample& sample) = 0;
  /// Flushes everything added so far to disk; a writer opened with this mark continues from there.
  virtual Result<WriteMark> sync() = 0;
  /// Completes the last file and flushes it to disk.
  virtual Status finish() = 0;
  /// Bytes written so far.
  virtual std::uint64_t bytes() const = 0;
  /// Entries for the field-list parameter of the format's source node, one per field (in the syntax
  /// of parseExampleKeys); empty if the source needs no such list.
  virtual std::vector<std::string> readBack() const { return {}; }
};

using OpenWriter = Result<std::unique_ptr<DatasetWriter>>;

/// The class's name if it is usable in file names, otherwise its number.
std::string classFolderName(const WriteSpec& spec, std::int64_t label);

}  // namespace millrace
