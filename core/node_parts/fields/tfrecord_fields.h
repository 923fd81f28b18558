// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/tfrecord/example_survey.h"
#include "core/node_parts/fields/class_list_fields.h"

namespace millrace::nodes {

/// Some records of a source, which were added to a survey.
struct ExaminedRecords {
  std::uint32_t sound = 0;  ///< records that could be read
  std::string firstOther;   ///< name of the first of these that is not an example
};

/// What the records are read as.
struct TfRecordFields {
  bool examples = false;  ///< most records are a tf.train.Example, or they are required to be
  std::vector<ExampleField> fields;  ///< empty: records stay bytes
  std::vector<std::string> notes;
  std::optional<ClassLists> classLists;
};

/// The likely fields of records that have not been examined yet.
std::vector<FieldSpec> usualTfRecordFields();

/// The fields that `keys` request, in the syntax of parseExampleKeys(), completed from the survey;
/// without keys those that a user most likely needs. Records that mostly are not examples have no
/// fields, unless keys or `required` say that they must be examples. The error says which key is
/// missing or why the records cannot be read.
Result<TfRecordFields> tfRecordFields(const ExampleSurvey& survey, const ExaminedRecords& examined,
                                      const std::vector<std::string>& keys, bool required);

}  // namespace millrace::nodes
