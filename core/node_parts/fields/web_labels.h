// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/formats/tar/web_shard.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/spec/class_lists.h"

namespace millrace::nodes {

/// The part that is the label: one named as such, or a member of JSON that is (`json/label`), or
/// texts `txt` that repeat and so are no captions; empty if there is none.
std::string labelPartIn(const WebSurvey& survey, int fd);

/// Notes the fields that are members of parts in JSON.
void noteMembers(const std::vector<ExampleField>& fields, std::vector<std::string>& notes);

/// What the label of a shard's first samples is, besides one class number.
struct WebLabel {
  std::optional<ClassLists> lists;
  std::optional<std::size_t> texts;  ///< the field whose classes are names
};

/// Reads the label of the first samples. If it is a quantity, or a vector with a number for each
/// class, its field becomes one.
WebLabel webLabelIn(const WebSurvey& survey, int fd, std::vector<ExampleField>& fields);

}  // namespace millrace::nodes
