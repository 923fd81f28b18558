// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/data/stream_type.h"
#include "core/spec/source.h"

namespace millrace {

/// Sets FieldSpec::scale of paired pictures, files or pixels, from the first samples that can be
/// read: the number of target or mask pixels per image pixel along a side. Reads nothing if there
/// is only one picture; leaves 1 if no sample can be read.
void measurePictureScales(const Source& source, std::vector<FieldSpec>& fields);

}  // namespace millrace
