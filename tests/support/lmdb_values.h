// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "core/formats/lmdb/lmdb_writer.h"

namespace millrace::tests {

using LmdbValues = std::map<std::string, std::string>;

/// Writes values with their keys to `x.mdb` with liblmdb; nullptr on failure. The writer has
/// flushed them, and its file is open.
inline std::unique_ptr<DatasetWriter> put(const std::filesystem::path& folder,
                                          const LmdbValues& values) {
  const FieldSpec field{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image};
  auto writer = openLmdbWriter({folder, "x.mdb", 0, {field}, {}}).take();
  for (const auto& [key, value] : values) {
    const TensorView view{DType::Encoded,
                          Layout::Plain,
                          {},
                          reinterpret_cast<std::byte*>(const_cast<char*>(value.data())),
                          value.size()};
    if (!writer->add({key, std::span(&view, 1)})) return nullptr;
  }
  if (!writer->sync()) return nullptr;
  return writer;
}

}  // namespace millrace::tests
