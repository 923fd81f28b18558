// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/data/stream_type.h"
#include "core/spec/export_text.h"
#include "core/spec/infer_context.h"

namespace millrace::nodes {

/// What nodes share that add, remove or reorder fields.

std::optional<std::size_t> fieldIndex(const StreamType& in, const std::string& name);

/// `in` with the fields `made` in place of field `at`. Reports duplicate names under `param`, and
/// then returns `in`.
StreamType spliced(const StreamType& in, std::size_t at, const std::vector<FieldSpec>& made,
                   const std::string& param, InferContext& context);

/// The export text of nodes that unpack records, for targets without code for them.
template <class Params>
ExportText notTranslated(const Params&, const ExportContext&) {
  ExportText text;
  text.missing =
      "Millrace does not write code that unpacks records for this target yet: insert your own, "
      "which makes the same fields.";
  return text;
}

}  // namespace millrace::nodes
