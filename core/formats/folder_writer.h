// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// Loose picture files: a folder for each class (`cat/0001.jpg`), none where there are no labels;
/// pairs in `images` beside `targets` or `masks`. Pictures are encoded; of other fields the label
/// alone is kept, and of a pair none.
OpenWriter openFolderWriter(const WriteSpec& spec, const WriteMark& from = {});

}  // namespace millrace
