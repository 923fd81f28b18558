// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/formats/format.h"
#include "core/formats/recordio/record_io_writer.h"

namespace millrace {

namespace {

Reading recordioReading(const std::filesystem::path& path, const WriteSpec& spec,
                        const std::vector<std::string>&) {
  const bool labels = std::ranges::any_of(
      spec.fields, [](const FieldSpec& field) { return field.role == Role::Label; });
  Reading reading;
  reading.paths = {path};
  reading.params["content"] = std::string("images");
  reading.params["labels"] = std::string(labels ? "classes" : "none");
  return reading;
}

}  // namespace

Format recordioFormat();
Format recordioFormat() {
  Format format;
  format.name = "recordio";
  format.title = "RecordIO";
  format.example = "*.rec";
  format.isFileName = [](std::string_view name) { return name.ends_with(".rec"); };
  format.isHead = [](std::span<const std::byte> head) {
    return hasMagic(head, 0, "\x0a\x23\xd7\xce");
  };
  format.openWriter = &openRecordIoWriter;
  format.targets = {{".rec"}};
  format.pictures = Format::Pictures::Encoded;
  format.takes = [](const FieldSpec& field, std::size_t) {
    return field.role == Role::Image || field.role == Role::Label;
  };
  format.reading = &recordioReading;
  return format;
}

}  // namespace millrace
