// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// Writes LMDB with liblmdb, whose map grows as needed: a folder with data.mdb, or a single file,
/// depending on the name. Pictures without labels, pixels and arrays are stored under their keys,
/// optionally compressed (WriteSpec::lz4); with labels, each is a Caffe Datum under `00000017_key`;
/// pairs as in basicsr: `images.lmdb` next to `targets.lmdb` or `masks.lmdb`, each with a
/// meta_info.txt. Values added since the last sync are lost when the process is killed.
/// Fails in a build without the part `lmdb`, and for lz4 without the part `lz4`.
OpenWriter openLmdbWriter(const WriteSpec& spec, const WriteMark& from = {});

/// Whether the values are Datums.
bool writesDatums(const WriteSpec& spec);

}  // namespace millrace
