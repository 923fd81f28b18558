// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// Writes HDF5 with libhdf5: one dataset per field with the field's name and samples along the
/// first axis. Fields of fixed size are contiguous, or with WriteSpec::gzip in chunks with the
/// shuffle and deflate filters; encoded fields are variable-length runs of u8, as h5py reads them
/// with vlen_dtype(uint8). Class names are the attribute `classes` of the label dataset, a list of
/// fixed-length texts, unless they exceed an attribute's 64 KB. Rows are collected in temporary
/// files next to it until a file's number of rows is known, so that a kill leaves no incomplete
/// HDF5 file that would have to be continued. Fails in a build without the part `hdf5`.
OpenWriter openHdf5Writer(const WriteSpec& spec, const WriteMark& from = {});

}  // namespace millrace
