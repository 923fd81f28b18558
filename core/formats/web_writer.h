// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// WebDataset: tar archives (POSIX.1-2001 ustar, with a pax head for names and sizes that do not
/// fit) in which a sample is KEY.jpg, KEY.cls and so on: pictures by their format, those that are
/// not the image behind the field's name (`KEY.mask.png`), a label as text in `cls`, anything else
/// as its bytes in `NAME.bin`.
OpenWriter openWebWriter(const WriteSpec& spec, const WriteMark& from = {});

}  // namespace millrace
