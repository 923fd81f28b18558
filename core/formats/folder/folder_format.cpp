// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/folder_writer.h"
#include "core/formats/format.h"

namespace millrace {

namespace {

bool folderTakes(const FieldSpec& field, std::size_t pictures) {
  return isPicture(field.role) || (field.role == Role::Label && pictures < 2);
}

Reading folderReading(const std::filesystem::path& path, const WriteSpec& spec,
                      const std::vector<std::string>&) {
  Reading reading;
  reading.paths = {path};
  for (const FieldSpec& field : spec.fields) {
    if (field.role == Role::Target) reading.paths = {path / "images", path / "targets"};
    if (field.role == Role::Mask) reading.paths = {path / "images", path / "masks"};
    reading.masks = reading.masks || field.role == Role::Mask;
  }
  return reading;
}

}  // namespace

Format folderFormat();
Format folderFormat() {
  Format format;
  format.name = "folder";
  format.title = "folders of pictures";
  format.openWriter = &openFolderWriter;
  format.pictures = Format::Pictures::Encoded;
  format.takes = &folderTakes;
  format.shards = false;
  format.classesAreFolders = true;
  format.reading = &folderReading;
  return format;
}

}  // namespace millrace
