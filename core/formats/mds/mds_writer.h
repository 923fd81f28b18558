// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// Writes MosaicML MDS without compression: `shard.00000.mds`, ... and `index.json` (layouts:
/// mds_shard.h, mds_index.h). One column per field: `jpeg` or `png` according to the first sample's
/// file, otherwise `bytes`; numbers as ndarray of fixed type and shape; the samples' keys as
/// `filename`.
OpenWriter openMdsWriter(const WriteSpec& spec, const WriteMark& from = {});

}  // namespace millrace
