// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// MosaicML MDS: `shard.00000.mds`, ... and `index.json` (layouts: mds_shard.h, mds_index.h), not
/// compressed. A column for each field, `jpeg` or `png` by the first sample's file, else `bytes`;
/// numbers as ndarray of fixed type and shape; the samples' keys as `filename`.
OpenWriter openMdsWriter(const WriteSpec& spec, const WriteMark& from = {});

}  // namespace millrace
