// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/bridge/background_check.h"
#include "widgets/canvas/editor/pipeline_editor.h"
#include "widgets/canvas/layout/canvas_geometry.h"
#include "widgets/models/code_trust.h"
#include "widgets/models/document.h"
#include "widgets/models/outline_model.h"
#include "widgets/models/problems_model.h"
#include "widgets/models/selection.h"

namespace millrace {

/// An edited document and everything derived from it, but no view. Canvas, inspector and panels
/// receive it. GUI thread.
struct EditSession {
  explicit EditSession(const Catalog& catalog) : document(catalog) {}
  EditSession(const EditSession&) = delete;
  EditSession& operator=(const EditSession&) = delete;

  // Order matters: each member refers to those above.
  Document document;
  Selection selection{document};
  BackgroundCheck check{document};
  CodeTrust code{document};
  CanvasGeometry geometry{document};
  PipelineEditor editor{document, selection, check, geometry};
  OutlineModel outline{document, check};
  ProblemsModel problems{document, check};
};

}  // namespace millrace
