// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/page_obstacle.h"

#include "app/workbench/window/page_notices.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/format.h"

namespace millrace {

QString pageObstacle(PipelinePage* page) {
  if (page == nullptr || page->session().document.graph().nodes.empty())
    return "There is nothing to run: open a pipeline or add a node.";
  const auto* notices = page->findChild<PageNotices*>();
  QString missing = notices == nullptr ? QString() : notices->missingSentence();
  if (!missing.isEmpty()) return missing;
  if (const QString why = page->session().code.obstacle(); !why.isEmpty()) return why;
  const int errors = page->session().check.errors();
  return errors == 0 ? QString()
                     : "Correct " + shownCount(errors, "error") + " before running this pipeline.";
}

}  // namespace millrace
