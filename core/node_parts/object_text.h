// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/describe.h"

namespace millrace::nodes {

/// The form of nodes for objects of pictures in other loaders' code: there is none yet.
template <class Params>
void objectsNotTranslated(Describe<Params>& d) {
  d.exporters({"pytorch", "tfdata", "dali", "grain"},
              [](const Params&, const ExportContext&, std::string_view) {
                ExportText text;
                text.missing =
                    "Millrace does not write code for boxes and keypoints yet: export the pipeline "
                    "as Python over the engine.";
                return text;
              });
}

}  // namespace millrace::nodes
