// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/formats/tar/tar_walk.h"
#include "core/formats/tar/web_writer.h"

namespace millrace {

static_assert(kFormatHeadBytes >= TarWalk::kBlock);

Format webdatasetFormat();
Format webdatasetFormat() {
  Format format;
  format.name = "webdataset";
  format.title = "WebDataset";
  format.example = "*.tar";
  format.isFileName = [](std::string_view name) {
    return endsInOneOf(name, {".tar", ".tar.gz", ".tgz"});
  };
  format.isHead = [](std::span<const std::byte> head) {
    return head.size() >= TarWalk::kBlock && isTarHead(head.data());
  };
  format.openWriter = &openWebWriter;
  format.targets = {{".tar"}};
  format.fieldsParam = "parts";
  format.bytesOnly = true;
  return format;
}

}  // namespace millrace
