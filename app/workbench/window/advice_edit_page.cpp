// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/advice_edit_page.h"

#include "core/tune/advice_edit.h"
#include "widgets/canvas/editor/drawn_edit.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/advice_edits.h"
#include "widgets/models/node_display.h"

namespace millrace {

QString titleOn(PipelinePage& page, const QString& id) {
  const Document& document = page.session().document;
  const GraphNode* node = document.graph().node(fromQt(id));
  return node == nullptr ? QString() : titleOf(*node, document.specOf(node->id));
}

QString changeText(PipelinePage& page, const Advice& advice) {
  const Document& document = page.session().document;
  return shownEdit(document.graph(), document.catalog(), advice);
}

QString whyNoChange(PipelinePage& page, const Advice& advice) {
  const Document& document = page.session().document;
  const Result<Graph> edited = applyAdvice(document.graph(), document.catalog(), advice);
  if (!edited) return sentence(edited.error().message);
  if (*edited == document.graph()) return "The pipeline already has this setting.";
  return {};
}

bool makeChange(PipelinePage& page, const Advice& advice) {
  Document& document = page.session().document;
  const QString words = changeText(page, advice);
  Result<Graph> edited = applyAdvice(document.graph(), document.catalog(), advice);
  if (edited) edited = drawnEdit(page.session(), edited.take());
  if (!document.tryEdit("Advice: " + words, std::move(edited))) return false;
  document.endMerge();
  page.say("Applied: " + words + ". Ctrl+Z undoes it.");
  return true;
}

}  // namespace millrace
