// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/dataset_writer.h"

namespace millrace {

/// Writes TFRecord files of tf.train.Example (layouts: tfrecord.h, example_proto.h). Keys follow
/// TensorFlow's data sets: `image/encoded`, `image/class/label`, `image/class/text`,
/// `image/filename`; other fields are `NAME/encoded` for files, otherwise `NAME/raw`.
OpenWriter openTfRecordWriter(const WriteSpec& spec, const WriteMark& from = {});

}  // namespace millrace
