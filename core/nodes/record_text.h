// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/stream_type.h"
#include "core/formats/example_fields.h"
#include "core/spec/export_text.h"
#include "core/spec/value.h"

namespace millrace::nodes {

// Pieces of exported code for sources whose files hold many samples, and for what takes records
// apart. The readers lie in resources/export/python and are the same for every target; what makes
// tensors of their samples is the target's own.

/// "uint8", "bfloat16": as NumPy, torch and TensorFlow call it. Not of encoded bytes.
std::string arrayTypeName(DType type);

/// `Field("d", "uint8", (8, 8, 3), "hwc")`, as records.py has it. `key` is Python source.
std::string fieldLiteral(const std::string& key, const FieldSpec& spec);
/// `{"image": Field("image/encoded"), "score": Field("s", "int64", ())}`.
std::string fieldLiterals(const std::vector<ExampleField>& fields);

/// The fields of a source that `entries` ask for, as parseExampleKeys reads them, with the types
/// that the data has where it was looked at; nothing where only the data could say which they are,
/// or of which types, and of a type that NumPy does not have.
std::optional<std::vector<ExampleField>> fieldsSaid(const TextList& entries,
                                                    const ExportContext& context);
/// What stands in the way where there are none: `param` is the parameter that names them.
ExportText fieldsNotSaid(std::string_view param);

/// A source: `call` makes the reader that the snippet `reader` defines. What reading by Python
/// costs in tf.data and DALI, their exporters say.
ExportText recordSource(std::string_view target, const std::string& reader,
                        const std::string& call);

/// Adds the step that makes `fields` of the tf.train.Example in `field`, for PyTorch or tf.data.
void addExampleStep(std::string_view target, const std::string& field,
                    const std::vector<ExampleField>& fields, ExportText& text);

}  // namespace millrace::nodes
