// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/stream_type.h"
#include "core/formats/hdf5_file.h"
#include "core/formats/hdf5_heap.h"
#include "core/nodes/array_content.h"

namespace millrace::nodes {

/// A field and the dataset that it comes from.
struct Hdf5Field {
  std::string dataset;  ///< its name
  FieldSpec spec;
};

struct Hdf5Choice {
  std::vector<Hdf5Field> fields;
  std::vector<std::string> leftOut;  ///< names, with the reason
};

/// The fields of a file's samples: those that `entries` ask for (as parseExampleKeys reads them,
/// with datasets for keys), else all datasets with the commonest number of rows. Looks at the first
/// rows of runs to tell pictures from words. The error says what there is.
Result<Hdf5Choice> chooseHdf5Fields(const Hdf5File& file, const std::vector<std::string>& entries,
                                    ArrayContent content);

/// One whole number a row, of all rows, as integers of any width; they come through the page cache.
Result<std::vector<std::int64_t>> readHdf5Labels(const Hdf5File& file, const Hdf5Dataset& set);

/// Where the runs of all rows lie. Empty where the library reads them, where there are more than
/// 4 million, or where one place cannot be read: then each is looked up when its row is read.
std::vector<Hdf5Run> readHdf5Places(const Hdf5File& file, const Hdf5Dataset& set);

/// "images (u8 32x32x3, 100 samples)".
std::string textOf(const Hdf5Dataset& set);

/// nullptr where there is none of the name.
const Hdf5Dataset* datasetNamed(const Hdf5File& file, const std::string& name);

}  // namespace millrace::nodes
