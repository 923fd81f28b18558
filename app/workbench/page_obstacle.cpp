// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/page_obstacle.h"

#include "app/workbench/page_notices.h"
#include "widgets/canvas/pipeline_page.h"
#include "widgets/common/format.h"

namespace millrace {

QString pageObstacle(PipelinePage* page) {
  if (page == nullptr || page->session().document.graph().nodes.empty())
    return "There is nothing to run: open a pipeline or add a node.";
  if (const int errors = page->session().check.errors(); errors > 0)
    return shownCount(errors, "error") + " to mend before this can run.";
  const auto* notices = page->findChild<PageNotices*>();
  return notices == nullptr ? QString() : notices->missingSentence();
}

}  // namespace millrace
