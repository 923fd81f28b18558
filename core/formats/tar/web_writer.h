// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// Writes WebDataset: tar archives (POSIX.1-2001 ustar, with a pax header for names and sizes that
/// do not fit) with members KEY.jpg, KEY.cls and so on: pictures with the extension of their
/// format, except for the image preceded by the field's name (`KEY.mask.png`); a label as text in
/// `cls`; other fields as raw bytes in `NAME.bin`.
OpenWriter openWebWriter(const WriteSpec& spec, const WriteMark& from = {});

}  // namespace millrace
