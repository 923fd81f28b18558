// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// NumPy arrays whose first axis runs over the samples (numpy.lib.format, version 1): a .npy where
/// there is one field, else a .npz with a member for each, not packed (PKWARE APPNOTE 4.3, zip64).
/// All fields have known shapes. Rows go to a file a field first; an archive is put together when
/// its last row is known, so it needs its room twice for that while.
OpenWriter openNpyWriter(const WriteSpec& spec, const WriteMark& from = {});

}  // namespace millrace
