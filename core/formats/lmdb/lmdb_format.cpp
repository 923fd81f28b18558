// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/formats/format.h"
#include "core/formats/lmdb/lmdb_writer.h"

namespace millrace {

namespace {

bool lmdbTakes(const FieldSpec& field, std::size_t pictures) {
  return isPicture(field.role) || (field.role == Role::Label && pictures < 2);
}

/// Pairs are in two databases with equal keys, as in basicsr.
Reading lmdbReading(const std::filesystem::path& path, const WriteSpec& spec,
                    const std::vector<std::string>& readBack) {
  Reading reading;
  reading.paths = {path};
  for (const FieldSpec& field : spec.fields) {
    if (field.role != Role::Target && field.role != Role::Mask) continue;
    reading.paths = {path / "images.lmdb", path / (field.name + "s.lmdb")};
    reading.masks = field.role == Role::Mask;
  }
  if (!readBack.empty()) reading.params["value"] = readBack.front();
  return reading;
}

}  // namespace

bool writesDatums(const WriteSpec& spec) {
  return std::any_of(spec.fields.begin(), spec.fields.end(),
                     [](const FieldSpec& field) { return field.role == Role::Label; });
}

Format lmdbFormat();
Format lmdbFormat() {
  Format format;
  format.name = "lmdb";
  format.title = "LMDB";
  format.example = "data.mdb";
  format.isFileName = [](std::string_view name) {
    return name.ends_with(".mdb") && name != "lock.mdb";
  };
  format.isHead = [](std::span<const std::byte> head) {
    return hasMagic(head, 16, "\xde\xc0\xef\xbe");
  };
  format.diskOnly = true;
  format.openWriter = &openLmdbWriter;
  format.targets = {{".mdb"}, {".lmdb", false}};
  format.pictures = Format::Pictures::EncodedOrRaw;
  format.takes = &lmdbTakes;
  format.shards = false;
  format.packsValues = true;
  format.oneValue = true;
  format.shapesVary = &writesDatums;  // A Datum stores its own shape.
  format.reading = &lmdbReading;
  return format;
}

}  // namespace millrace
