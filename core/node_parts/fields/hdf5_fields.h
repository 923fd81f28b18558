// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/stream_type.h"
#include "core/formats/hdf5/hdf5_file.h"
#include "core/formats/hdf5/hdf5_heap.h"
#include "core/node_parts/fields/array_content.h"

namespace millrace::nodes {

/// A field and the dataset it is read from.
struct Hdf5Field {
  std::string dataset;  ///< its name
  FieldSpec spec;
};

struct Hdf5Choice {
  std::vector<Hdf5Field> fields;
  std::vector<std::string> leftOut;  ///< names with the reason
};

/// The fields of a file's samples: those that `entries` request (in the syntax of
/// parseExampleKeys(), with datasets as keys), else all datasets that have the most common number
/// of rows. Reads the first variable-length rows to distinguish pictures from text. The error lists
/// what there is.
Result<Hdf5Choice> chooseHdf5Fields(const Hdf5File& file, const std::vector<std::string>& entries,
                                    ArrayContent content);

/// Reads one class number per row for all rows, from integers of any width or whole real numbers.
/// Uses the page cache.
Result<std::vector<std::int64_t>> readHdf5Labels(const Hdf5File& file, const Hdf5Dataset& set);

/// The positions of all variable-length rows. Empty if the library must read them, if there are
/// more than 4 million, or if a position cannot be read; each one is then looked up when its row is
/// read.
std::vector<Hdf5Run> readHdf5Places(const Hdf5File& file, const Hdf5Dataset& set);

/// "images (u8 32x32x3, 100 samples)".
std::string textOf(const Hdf5Dataset& set);

/// nullptr if there is no dataset of this name.
const Hdf5Dataset* datasetNamed(const Hdf5File& file, const std::string& name);

}  // namespace millrace::nodes
