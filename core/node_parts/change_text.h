// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/node_parts/picture_changes.h"

namespace millrace::nodes {

/// A change of colours as Python for other loaders. For arrays: an expression of the picture `p`
/// and a number `u` from 0 to 1, which is drawn; empty if the target has no such operation.
struct ChangeText {
  std::string torch;  ///< torchvision's transform without its last argument: "RandomInvert("
  std::string tfdata;
  std::string dali;
  std::string grain;
  std::vector<std::string> grainImports = {};
  /// A definition in resources/export/pytorch that `torch` calls; empty: it is in torchvision.
  std::string torchSnippet = {};
};

ExportText changeInTorch(const ChangeText& text, double probability,
                         const std::vector<std::size_t>& fields, const ExportContext& context);
/// `target`: "tfdata", "dali" or "grain".
ExportText changeOfArrays(const ChangeText& text, double probability,
                          const std::vector<std::size_t>& fields, const ExportContext& context,
                          std::string_view target);

/// `textOf(params, context)` is the kind's ChangeText.
template <class Params, class Make>
void changeExports(Describe<Params>& d, Make textOf) {
  d.exporters({"pytorch", "tfdata", "dali", "grain"},
              [textOf](const Params& p, const ExportContext& context, std::string_view target) {
                const std::vector<std::size_t> fields = colourFields(context.in, p.fields);
                const ChangeText text = textOf(p, context);
                return target == "pytorch"
                           ? changeInTorch(text, p.probability, fields, context)
                           : changeOfArrays(text, p.probability, fields, context, target);
              });
}

/// A policy that acts on `acted`, as torchvision's transform without its last arguments, such as
/// "RandAugment(num_ops=2, "; missing elsewhere.
ExportText policyText(const std::string& transform, Filter filter, const RealList& fill,
                      const std::vector<std::size_t>& acted, const ExportContext& context,
                      std::string_view target);

/// Geometry as torchvision's transform `open` with its filter and fill, then `close`.
ExportText warpInTorch(const std::string& open, const std::string& close,
                       const PolicyParams& params, const ExportContext& context);

template <class Params, class Make>
void policyExports(Describe<Params>& d, Make transform) {
  d.exporters({"pytorch", "tfdata", "dali", "grain"},
              [transform](const Params& p, const ExportContext& context, std::string_view target) {
                return policyText(transform(p), p.filter, p.fill,
                                  geometryFields(context.in, p.fields), context, target);
              });
}

}  // namespace millrace::nodes
