// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// Writes NumPy arrays with samples along the first axis (numpy.lib.format, version 1): a .npy file
/// for one field, otherwise an uncompressed .npz with one member per field (PKWARE APPNOTE 4.3,
/// zip64). All fields need known shapes. Rows are first written to one file per field; an archive
/// is assembled when its last row is known, and takes twice its space until then.
OpenWriter openNpyWriter(const WriteSpec& spec, const WriteMark& from = {});

}  // namespace millrace
