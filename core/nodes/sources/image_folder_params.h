// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/formats/io/block_reader.h"
#include "core/node_parts/class_folders.h"
#include "core/node_parts/reading_params.h"
#include "core/spec/describe.h"
#include "core/spec/source.h"

namespace millrace::nodes::image_folder {

struct Params {
  TextList paths;
  Subset subset = Subset::Train;
  std::string classesFrom;
  ClassOrder classOrder = ClassOrder::Bytes;
  Junk junk = Junk::Skip;
  Pages pages = Pages::First;
  std::int64_t readAhead = 0;
  ReadBy readBy = ReadBy::Cache;
};

/// The files below the folders, each a sample with the class of its first folder level.
Result<std::shared_ptr<const Source>> openFolders(const Params& params,
                                                  const std::filesystem::path& base);

/// The node's forms in other loaders' code.
void addExporters(Describe<Params>& d);

}  // namespace millrace::nodes::image_folder
