// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/stream_type.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/spec/export_text.h"
#include "core/spec/value.h"

namespace millrace::nodes {

// Pieces of exported code for sources whose files hold many samples, and for nodes that unpack
// records. The readers are in resources/export/python and are shared by all targets; each target
// converts their samples to tensors itself.

/// "uint8", "bfloat16": the type's name in NumPy, torch and TensorFlow. Not for encoded bytes.
std::string arrayTypeName(DType type);

/// A limit of targets whose readers of TFRecord files ignore checksums.
inline constexpr const char* kNoCheckSums =
    "Checksums are not compared: damage within a record is not noticed. With Millrace such a "
    "sample fails.";

/// `Field("d", "uint8", (8, 8, 3), "hwc")`, for records.py. `key` is Python source.
std::string fieldLiteral(const std::string& key, const FieldSpec& spec);
/// `{"image": Field("image/encoded"), "score": Field("s", "int64", ())}`.
std::string fieldLiterals(const std::vector<ExampleField>& fields);

/// The fields that a source found in the data without being told; empty if it was not examined, or
/// if its files do not name them.
std::vector<ExampleField> fieldsFound(const ExportContext& context);
/// The fields of a source that `entries` request, in the syntax of parseExampleKeys(), with the
/// data's types if it was examined. Without entries they are fieldsFound(). nullopt if only the
/// data could tell the fields or their types, or if NumPy lacks a type.
std::optional<std::vector<ExampleField>> fieldsSaid(const TextList& entries,
                                                    const ExportContext& context);
/// The export text for that case: `param` is the parameter that names the fields.
ExportText fieldsNotSaid(std::string_view param);

/// The export text of a source: `call` constructs the reader that the snippet `reader` defines. The
/// exporters of tf.data and DALI state the cost of reading in Python.
ExportText recordSource(std::string_view target, const std::string& reader,
                        const std::string& call);

/// Adds the step that parses `fields` from the tf.train.Example in `field`, for PyTorch or tf.data.
void addExampleStep(std::string_view target, const std::string& field,
                    const std::vector<ExampleField>& fields, ExportText& text);

/// The same as statements of tf.data's short form. `batch`: `field` holds the records of a batch.
/// Sets text.missing if they need the long form.
void addShortExample(const std::string& field, const std::vector<ExampleField>& fields, bool batch,
                     ExportText& text);

/// The same for PyTorch, of a batch of records, with the package tfrecord.
void addTorchExamples(const std::string& field, const std::vector<ExampleField>& fields,
                      ExportText& text);

}  // namespace millrace::nodes
