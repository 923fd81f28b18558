// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// Writes MXNet's RecordIO (layouts: record_io.h) with one encoded picture and, if there is one,
/// its label, like im2rec. Each shard has an .idx file next to it; a single file has none.
OpenWriter openRecordIoWriter(const WriteSpec& spec, const WriteMark& from = {});

}  // namespace millrace
