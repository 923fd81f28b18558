// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/data/stream_type.h"
#include "core/spec/source.h"

namespace millrace {

/// Sets FieldSpec::scale of pictures that come in pairs, files or pixels, by the first samples that
/// can be read: how many pixels of a target or mask belong to one of the image. Reads nothing
/// where there is only one picture; leaves 1 where no sample tells.
void measurePictureScales(const Source& source, std::vector<FieldSpec>& fields);

}  // namespace millrace
