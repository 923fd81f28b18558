// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/data/sample.h"
#include "core/data/stream_type.h"
#include "core/spec/export_text.h"
#include "core/spec/infer_context.h"

namespace millrace::nodes {

/// What nodes share that make fields come, go or change places.

std::optional<std::size_t> fieldIndex(const StreamType& in, const std::string& name);

/// `in` with `made` in the place of field `at`. Reports names that are there twice, in `param`; the
/// stream is then `in`.
StreamType spliced(const StreamType& in, std::size_t at, const std::vector<FieldSpec>& made,
                   const std::string& param, InferContext& context);

/// Opens the places that `spliced` gives to `made` fields: what stood behind field `at` of a
/// sample with `fields` of them moves on. Field `at` stays, for its value to be read.
void openPlaces(Sample& sample, std::size_t at, std::size_t fields, std::size_t made);

/// Forgets the values from field `first` on.
void clearPlaces(Sample& sample, std::size_t first);

/// What a target says of nodes that take records apart where it has no code for them.
template <class Params>
ExportText notTranslated(const Params&, const ExportContext&) {
  ExportText text;
  text.missing =
      "Millrace writes no code for what takes records apart in this target yet: put in your own, "
      "which makes the same fields.";
  return text;
}

}  // namespace millrace::nodes
