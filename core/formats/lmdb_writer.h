// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// LMDB through liblmdb, whose map grows by itself: a folder with data.mdb, or one file where the
/// name says so. Pictures without labels, pixels and arrays under their keys, on request packed
/// (WriteSpec::lz4); with labels a Datum of Caffe each, under `00000017_key`; pairs as basicsr has
/// them: `images.lmdb` beside `targets.lmdb` or `masks.lmdb`, each with a meta_info.txt. What was
/// put since the last sync is lost by a kill.
OpenWriter openLmdbWriter(const WriteSpec& spec, const WriteMark& from = {});

/// Whether the values are Datums.
bool writesDatums(const WriteSpec& spec);

}  // namespace millrace
