// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/formats/hdf5/hdf5_writer.h"

namespace millrace {

Format hdf5Format();
Format hdf5Format() {
  Format format;
  format.name = "hdf5";
  format.title = "HDF5";
  format.example = "*.h5";
  format.isFileName = [](std::string_view name) { return endsInOneOf(name, {".h5", ".hdf5"}); };
  format.isHead = [](std::span<const std::byte> head) { return hasMagic(head, 0, "\x89HDF\r\n"); };
  format.diskOnly = true;
  format.openWriter = &openHdf5Writer;
  format.targets = {{".h5"}, {".hdf5"}};
  format.packsRows = true;
  format.namesClasses = true;
  format.fieldsParam = "datasets";
  format.namesSamples = false;
  return format;
}

}  // namespace millrace
