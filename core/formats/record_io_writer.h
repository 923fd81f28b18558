// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// MXNet's RecordIO (layouts: record_io.h) of one encoded picture and, where there is one, its
/// label, as im2rec writes them. Shards have an .idx file each beside them; one file alone has
/// none.
OpenWriter openRecordIoWriter(const WriteSpec& spec, const WriteMark& from = {});

}  // namespace millrace
