// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/tar/web_shard.h"
#include "core/formats/tfrecord/example_fields.h"

namespace millrace::nodes {

/// The likely fields of shards that have not been examined yet.
std::vector<ExampleField> usualWebFields();
/// Pictures and classes; without any, all parts as bytes. A key is a list of extensions, separated
/// by semicolons. `label`: the part of the classes (labelPartIn); empty: none.
std::vector<ExampleField> guessedWebFields(const WebSurvey& survey, const std::string& label);
/// The fields that `entries` request, in the syntax of parseExampleKeys() with extensions as keys;
/// without entries the guessed ones, and a note that names the other parts. The error names a part
/// that no sample has, or one whose type is incomplete.
Result<std::vector<ExampleField>> webFields(const std::vector<std::string>& entries,
                                            const WebSurvey& survey, const std::string& label,
                                            std::vector<std::string>& notes);

}  // namespace millrace::nodes
