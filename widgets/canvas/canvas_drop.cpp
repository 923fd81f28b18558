// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What CanvasView does with kinds, files and folders that are dropped on it.
#include <QDragEnterEvent>
#include <QMimeData>

#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/models/library_model.h"

namespace millrace {

using namespace canvas;

void CanvasView::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasFormat(kKindMime) || event->mimeData()->hasUrls())
    event->acceptProposedAction();
}

void CanvasView::dragMoveEvent(QDragMoveEvent* event) {
  event->acceptProposedAction();
  if (!event->mimeData()->hasFormat(kKindMime)) return;
  const QPointF at = mapToScene(event->position().toPoint());
  const NodeSpec* kind =
      m_session.document.catalog().find(event->mimeData()->data(kKindMime).toStdString());
  if (kind == nullptr) return;
  CanvasScene::Marks marks;
  marks.hovered = m_scene.nodeAt(at);
  if (!marks.hovered) marks.targetWire = m_scene.wireAt(at, kSnap / zoom());
  const CanvasScene::Marks& before = m_scene.marks();
  if (marks.hovered && marks.hovered == before.hovered)
    marks.hint = before.hint;
  else if (marks.hovered)
    marks.hint = dropHint(m_session, *marks.hovered, *kind);
  else if (marks.targetWire && marks.targetWire == before.targetWire)
    marks.hint = before.hint;
  else if (marks.targetWire)
    marks.hint = dropHint(m_session, *marks.targetWire, *kind);
  marks.hintAt = at;
  m_scene.setMarks(marks);
}

void CanvasView::dragLeaveEvent(QDragLeaveEvent*) { m_scene.setMarks({}); }

void CanvasView::dropEvent(QDropEvent* event) {
  m_scene.setMarks({});
  if (event->mimeData()->hasUrls()) emit urlsDropped(event->mimeData()->urls());
  if (event->mimeData()->hasFormat(kKindMime))
    dropKind(event->mimeData()->data(kKindMime).toStdString(),
             mapToScene(event->position().toPoint()));
  event->acceptProposedAction();
  setFocus();
}

/// On a node: after it in the chain. On a wire: into it. Anywhere else, or if it does not fit
/// there: at a free place.
void CanvasView::dropKind(const std::string& kind, QPointF at) {
  PipelineEditor& editor = m_session.editor;
  const QPointF place = at - QPointF(kNodeWidth / 2, kNodeHeight / 2);
  if (const auto node = m_scene.nodeAt(at)) {
    if (editor.addAfter(kind, *node)) return;
  } else if (const auto wire = m_scene.wireAt(at, kSnap / zoom())) {
    if (editor.addOnWire(kind, *wire, place)) return;
  } else {
    editor.add(kind, place);
    return;
  }
  // Not in a region, which would push it out onto whatever is next to it.
  editor.add(kind,
             freeNotePlace(m_session.geometry.layout(), place, QSizeF(kNodeWidth, kNodeHeight)));
}

}  // namespace millrace
