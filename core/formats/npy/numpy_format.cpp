// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/formats/npy/npy_writer.h"

namespace millrace {

Format numpyFormat();
Format numpyFormat() {
  Format format;
  format.name = "numpy";
  format.title = "NumPy";
  format.example = "*.npy, *.npz";
  format.isFileName = [](std::string_view name) { return endsInOneOf(name, {".npy", ".npz"}); };
  format.isHead = [](std::span<const std::byte> head) { return hasMagic(head, 0, "\x93NUMPY"); };
  format.openWriter = &openNpyWriter;
  format.targets = {{".npy"}, {".npz"}};
  format.namesSamples = false;
  format.pictures = Format::Pictures::Raw;
  format.takes = [](const FieldSpec& field, std::size_t) { return field.dtype != DType::Encoded; };
  return format;
}

}  // namespace millrace
