// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Comments and groups: PipelineEditor's functions that the engine ignores.
#include "widgets/canvas/editor/pipeline_editor.h"
#include "widgets/models/document.h"
#include "widgets/models/notes.h"

namespace millrace {

void PipelineEditor::addComment(const QString& text, QPointF place) {
  if (text.trimmed().isEmpty()) return;
  m_document.edit("Add a comment",
                  millrace::addComment(m_document.graph(), {text, snapped(place)}));
  m_selection.setComment(m_document.graph().comments.size() - 1);
}

void PipelineEditor::setComment(std::size_t i, const Comment& comment) {
  const auto now = i < m_document.graph().comments.size()
                       ? commentOf(m_document.graph().comments[i])
                       : std::nullopt;
  if (!now) return;
  m_document.edit(
      now->text == comment.text ? "Move a comment" : "Change a comment",
      millrace::setComment(m_document.graph(), i, {comment.text, snapped(comment.place)}));
}

void PipelineEditor::groupSelected(const QString& title) {
  if (m_selection.nodes().empty() || title.trimmed().isEmpty()) return;
  m_document.edit("Group " + selectedTitles(),
                  addGroup(m_document.graph(), title.trimmed(), m_selection.nodes()));
}

void PipelineEditor::ungroupSelected() {
  m_document.edit("Ungroup " + selectedTitles(), ungroup(m_document.graph(), m_selection.nodes()));
}

void PipelineEditor::retitleGroup(std::size_t i, const QString& title) {
  if (title.trimmed().isEmpty()) return;
  m_document.edit("Rename the group to " + title.trimmed(),
                  millrace::retitleGroup(m_document.graph(), i, title.trimmed()));
}

}  // namespace millrace
