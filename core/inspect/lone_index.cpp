// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// An index of an MDS data set without its shards.
#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/io/open_file.h"
#include "core/formats/mds/mds_index.h"
#include "core/inspect/scan.h"

namespace millrace {

namespace {

/// The text of a file of a usual size; empty if it cannot be read.
std::string textOf(const std::filesystem::path& file) {
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20U;
  const auto opened = openForReading(file);
  if (!opened || opened->size > kMost) return {};
  std::string text(opened->size, '\0');
  const auto got = readAt(opened->fd.get(), 0, text.data(), text.size());
  text.resize(got ? *got : 0);
  return text;
}

}  // namespace

std::string loneIndexNote(const std::filesystem::path& folder, const FolderProbe& seen) {
  constexpr const char* kName = "index.json";
  if (std::ranges::find(seen.files, kName) == seen.files.end()) return {};
  const std::string text = textOf(folder / kName);
  // Many kinds of data have a file of this name.
  if (text.find("\"shards\"") == std::string::npos) return {};
  const auto index = parseMdsIndex(text);
  if (!index)
    return fmt::format(
        "`{}` of a MosaicML MDS data set is of no use: {}. None of its shards is here, either: "
        "copy the data set again.",
        kName, visibleName(index.error().message));
  const MdsShardEntry& first = index->shards.front();
  return fmt::format(
      "`{}` lists {} of MosaicML MDS, and none of them is here; the first is `{}`. Copy the data "
      "set again.",
      kName, counted(index->shards.size(), "shard"),
      visibleName(first.raw.empty() ? first.packed : first.raw));
}

}  // namespace millrace
