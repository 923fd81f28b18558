// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/formats/tfrecord/tfrecord.h"
#include "core/formats/tfrecord/tfrecord_writer.h"

namespace millrace {

Format tfrecordFormat();
Format tfrecordFormat() {
  Format format;
  format.name = "tfrecord";
  format.title = "TFRecord";
  format.example = "*.tfrecord";
  format.isFileName = [](std::string_view name) { return isTfRecordName(name); };
  format.isHead = [](std::span<const std::byte> head) {
    return head.size() >= kTfRecordHead && tfRecordLength(head.data()).has_value();
  };
  format.openWriter = &openTfRecordWriter;
  format.targets = {{".tfrecord"}, {".tfrecords"}, {".tfrec"}};
  format.fieldsParam = "keys";
  return format;
}

}  // namespace millrace
