// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/describe.h"

namespace millrace::nodes {

/// The form of nodes for objects of pictures in other loaders' code: there is none. In the short
/// form of PyTorch, nodes replace it: boxes are tv_tensors.BoundingBoxes, which torchvision's
/// transforms move.
template <class Params>
void objectsNotTranslated(Describe<Params>& d) {
  d.exporters({"pytorch", "tfdata", "dali", "grain"}, [](const Params&, const ExportContext&,
                                                         std::string_view) {
    ExportText text;
    text.missing =
        "Millrace writes code for boxes only for PyTorch, and not for every node: export "
        "the pipeline as Python over the engine.";
    return text;
  });
}

}  // namespace millrace::nodes
