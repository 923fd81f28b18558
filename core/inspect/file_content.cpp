// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What a single file holds: a container, annotations, or a table.
#include <fmt/format.h>

#include "core/formats/io/open_file.h"
#include "core/formats/mds/mds_index.h"
#include "core/graph/json/graph_json.h"
#include "core/inspect/scan.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// A remote path without its query.
std::string shownPath(const fs::path& file) {
  return isRemotePath(file.native()) ? shownRemotePath(file.native()) : file.native();
}

/// At a server, which may list no folders, by what the file holds.
bool isMdsIndex(const fs::path& file) {
  if (!isRemotePath(file.native()))
    return detectContent(file.parent_path()).format == formatNamed("mds");
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20U;
  const auto opened = openForReading(file);
  if (!opened || opened->size > kMost) return false;
  std::string text(opened->size, '\0');
  return readAt(opened->fd.get(), 0, text.data(), text.size()).ok() && listsMdsShards(text);
}

/// Whether it is a pipeline, which names data and holds none.
bool isPipeline(const fs::path& file) {
  if (file.extension() != ".json" || isRemotePath(file.native())) return false;
  const ReadGraph read = readGraph(file, Catalog());
  return read.graph && !read.graph->nodes.empty();
}

}  // namespace

FolderContent containerContent(const Format& format, const fs::path& path, std::size_t files,
                               bool all, std::string_view where) {
  FolderContent found;
  found.layout = DataLayout::Container;
  found.format = &format;
  found.files = files;
  found.all = all;
  found.description =
      fmt::format("{} of {}{}.", countedFiles(files, all, "file"), format.title, where);
  if (isReadable(found))
    found.paths = {path};
  else
    found.description += fmt::format(
        " This version cannot read {}: unpack the pictures into one folder per class, or into two "
        "folders with equal file names.",
        format.title);
  return found;
}

FolderContent detectFile(const fs::path& file, Scan& scan) {
  if (isRemotePath(file.native()))
    if (const auto opened = openForReading(file); !opened) {
      FolderContent found;
      found.description = fmt::format("`{}` cannot be read: {}.", shownRemotePath(file.native()),
                                      opened.error().message);
      return found;
    }
  const std::string name = fs::path(shownPath(file)).filename().native();
  const Format* format = formatOfFileName(name);
  // index.json lists the shards of an MDS folder: it represents the whole folder.
  if (name == "index.json" && isMdsIndex(file)) format = formatNamed("mds");
  if (format == nullptr) format = formatOfHead(file);
  scan.examine(file);
  if (format != nullptr) {
    FolderContent found = containerContent(*format, file, 1, true);
    if (isReadable(found) && format->about != nullptr) found.description += format->about(file);
    return found;
  }
  FolderContent found;
  if (isPictureName(name)) {
    found.description = "A single picture is not a data set. Give the folder that contains it.";
    return found;
  }
  if (isPipeline(file)) {
    found.description = "This is a pipeline, not data. Give the folder or the file that it reads.";
    return found;
  }
  if (auto objects = objectContent(file)) return std::move(*objects);
  auto table = manifestContent(file, scan);
  if (table) return table.take();
  found.description = foreignNote(file);
  if (!found.description.empty()) {
    found.description.pop_back();
    return found;
  }
  found.description =
      isManifestName(name)
          ? table.error().message
          : "This file is neither a pipeline nor a data set. Give a *.millrace.json file, or a "
            "folder or a file of data.";
  return found;
}

}  // namespace millrace
