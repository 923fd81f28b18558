// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// HDF5 through libhdf5: a dataset for each field under its name, whose first axis runs over the
/// samples. Fields of fixed size are contiguous, or with WriteSpec::gzip in chunks, shuffled and
/// deflated; encoded ones are runs of u8 of any length, as h5py reads them with vlen_dtype(uint8).
/// Names of classes are the attribute `classes` of the labels' dataset, a list of texts of one
/// length, unless they are too many for an attribute (64 KB). Rows lie in files beside it until the
/// number of a file's rows is known, so that a kill leaves no half HDF5 file behind that would have
/// to be gone on with.
OpenWriter openHdf5Writer(const WriteSpec& spec, const WriteMark& from = {});

}  // namespace millrace
