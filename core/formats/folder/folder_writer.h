// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// Writes loose picture files: one folder per class (`cat/0001.jpg`), or no class folders without
/// labels; pairs in `images` and `targets` or `masks`. Pictures are encoded; of the other fields
/// only the label is stored, for pairs not even that.
OpenWriter openFolderWriter(const WriteSpec& spec, const WriteMark& from = {});

}  // namespace millrace
