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

/// A kind of data that Millrace draws itself, so that every example runs on a fresh machine.
struct SampleKind {
  std::string_view name;
  std::string_view description;  ///< what it holds, in one line
  std::uint32_t defaultCount;    ///< images, pairs, or shards
  std::uint32_t samplesEach;     ///< in each of them
};
std::vector<SampleKind> sampleKinds();

/// Told after each finished sample, on the thread that asked; false stops the making.
using SampleProgress = std::function<bool(std::uint32_t done, std::uint32_t of)>;

struct SampleRequest {
  std::string kind;         ///< of sampleKinds()
  std::uint32_t count = 0;  ///< 0: the kind's own
  std::uint64_t seed = 0;
  unsigned threads = 0;  ///< 0: one a core. Changes no byte.
};

/// Draws a data set into `folder`, which must be absent or empty. The same request gives the same
/// pictures, bit for bit, on any machine (files too, with the same versions of libjpeg-turbo and
/// zlib). After a failure the folder is as it was: an unknown kind, a folder that holds something,
/// a file that could not be written (named, with the reason), a stop by `progress`.
Status makeSampleData(const std::filesystem::path& folder, const SampleRequest& request,
                      const SampleProgress& progress = {});

/// The folder of the generated data `name` (a kind; its default count, seed 0), made now when it is
/// not there, is not whole or was made by an older version of the kind. Any number of threads and
/// processes may ask at once: one makes, the others wait. It appears in one step, so an interrupted
/// making leaves nothing that looks whole. Fails like makeSampleData, and when the cache folder
/// cannot be written.
Result<std::filesystem::path> ensureSampleData(std::string_view name,
                                               const SampleProgress& progress = {});

/// Whether a finished making of the generated data `name` stands where ensureSampleData keeps it,
/// as its stamp says: a look at one small file, for a person to be told before anything is made.
bool hasSampleData(std::string_view name);

/// The folder of the first few samples of the generated data `name`, the same pictures as in the
/// whole of it: for a person to see what the data will be. Kept below the whole data's place, made
/// now on one thread when they are not there; a fraction of a second. Fails like ensureSampleData.
Result<std::filesystem::path> ensureSampleLook(std::string_view name,
                                               const SampleProgress& progress = {});

/// `imagenet` of `sample:imagenet/train`; nothing for a path of another form. Lets a command make
/// the data, with progress, before anything opens it.
std::optional<std::string> sampleNameOf(std::string_view path);
/// The folder that `sample:NAME` or `sample:NAME/BELOW` stands for, by ensureSampleData. BELOW
/// stays inside the data.
Result<std::filesystem::path> resolveSamplePath(std::string_view path,
                                                const SampleProgress& progress = {});

/// Where ensureSampleData keeps its data: `samples` in userCacheFolder.
std::filesystem::path sampleCacheFolder();

}  // namespace millrace
