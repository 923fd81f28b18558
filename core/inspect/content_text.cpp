// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The description of a folder or file for users.
#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/inspect/scan.h"

namespace millrace {

std::string countedFiles(std::size_t count, bool all, std::string_view what) {
  return fmt::format("{}{} {}{}", all ? "" : "at least ", grouped(count), what,
                     count == 1 ? "" : "s");
}

void describe(FolderContent& content) {
  const auto files = [&](std::string_view what) {
    return countedFiles(content.files, content.all, what);
  };
  switch (content.layout) {
    case DataLayout::Classes:
      content.description = countedFiles(content.classFolders, true, "class folder") + ", " +
                            files("picture") + content.where + ".";
      break;
    case DataLayout::Pictures:
      content.description =
          files("picture") + " in one folder. Without class folders there is one class.";
      break;
    case DataLayout::Pairs: content.description = files("pair") + " of pictures."; break;
    case DataLayout::Masks: content.description = files("picture") + " with masks."; break;
    case DataLayout::Objects:
      content.description = content.files == 0
                                ? "Pictures with boxes."
                                : fmt::format("{} with boxes of {} {}.", files("picture"),
                                              grouped(content.classFolders),
                                              content.classFolders == 1 ? "class" : "classes");
      break;
    case DataLayout::Manifest:
      content.description =
          fmt::format("`{}` lists {}.", visibleName(content.paths.front().filename().native()),
                      files("sample"));
      break;
    case DataLayout::Container:
    case DataLayout::Unknown: return;
  }
  if (!content.details.empty()) content.description += " " + content.details;
}

void takeCounts(FolderContent& content, const Source& source) {
  if (content.layout == DataLayout::Container || content.layout == DataLayout::Unknown) return;
  content.files = source.size();
  content.all = true;
  content.classFolders = source.classes().size();
  describe(content);
}

std::string_view nameOf(DataLayout layout) {
  switch (layout) {
    case DataLayout::Classes: return "class folders";
    case DataLayout::Pictures: return "pictures";
    case DataLayout::Pairs: return "pairs";
    case DataLayout::Masks: return "image and mask";
    case DataLayout::Objects: return "pictures with boxes";
    case DataLayout::Manifest: return "table of pictures";
    case DataLayout::Container: return "container files";
    case DataLayout::Unknown: return "unknown";
  }
  return "unknown";
}

std::string_view nameOf(const FolderContent& content) {
  return content.format != nullptr ? content.format->title : nameOf(content.layout);
}

bool isReadable(const FolderContent& content) {
  return content.layout != DataLayout::Unknown &&
         (content.format == nullptr || !content.format->onlyNamed);
}

}  // namespace millrace
