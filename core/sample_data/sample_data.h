// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// A kind of data that Millrace generates, so that every example runs on a new machine.
struct SampleKind {
  std::string_view name;
  std::string_view description;  ///< its content, in one line
  std::uint32_t defaultCount;    ///< images, pairs, or shards
  std::uint32_t samplesEach;     ///< per image, pair or shard
  std::uint32_t training;        ///< of defaultCount, for training; the others are for validation
};
std::vector<SampleKind> sampleKinds();

/// Called after each finished sample on the requesting thread; return false to cancel.
using SampleProgress = std::function<bool(std::uint32_t done, std::uint32_t of)>;

struct SampleRequest {
  std::string kind;         ///< a name from sampleKinds()
  std::uint32_t count = 0;  ///< 0: the kind's default
  std::uint64_t seed = 0;
  unsigned threads = 0;  ///< 0: one per core. Does not change the data.
};

/// Generates a data set in `folder`, which must be missing or empty. Equal requests give equal
/// pictures, bit for bit, on every machine (and equal files with the same versions of libjpeg-turbo
/// and zlib). Fails for an unknown kind, a folder that is not empty, a file that could not be
/// written (with its name and the reason), or if `progress` cancels; the folder is then restored.
Status makeSampleData(const std::filesystem::path& folder, const SampleRequest& request,
                      const SampleProgress& progress = {});

/// The folder of the generated data `name` (a kind, with its default count and seed 0). Creates it
/// if it is missing, incomplete or of an older version. Any number of threads and processes may
/// call this at the same time: one creates the data, the others wait. The folder appears
/// atomically, so interrupted work never looks complete. Fails like makeSampleData(), and if the
/// cache folder is not writable.
Result<std::filesystem::path> ensureSampleData(std::string_view name,
                                               const SampleProgress& progress = {});

/// Whether complete data `name` exists in the cache, according to its stamp. Reads one small file,
/// so that the user can be informed before anything is generated.
bool hasSampleData(std::string_view name);

/// The folder with the first few samples of the generated data `name`, the same pictures as in the
/// complete data, as a preview. It is stored next to the complete data and generated on one thread
/// if it is missing, in a fraction of a second. Fails like ensureSampleData().
Result<std::filesystem::path> ensureSamplePreview(std::string_view name,
                                                  const SampleProgress& progress = {});

/// Returns `imagenet` for `sample:imagenet/train`, and nullopt for other paths. A command can use
/// it to generate the data with a progress display before it is opened.
std::optional<std::string> sampleNameOf(std::string_view path);
/// The folder that `sample:NAME` or `sample:NAME/BELOW` refers to; calls ensureSampleData(). BELOW
/// must stay inside the data.
Result<std::filesystem::path> resolveSamplePath(std::string_view path,
                                                const SampleProgress& progress = {});

/// Where ensureSampleData() stores its data: `samples` in userCacheFolder().
std::filesystem::path sampleCacheFolder();

}  // namespace millrace
