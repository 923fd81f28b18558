// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Copy, cut, paste, duplicate: PipelineEditor's clipboard functions.
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

#include "widgets/canvas/editor/pipeline_editor.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/strings.h"
#include "widgets/models/document.h"

namespace millrace {

using namespace canvas;

void PipelineEditor::copy() {
  if (m_selection.nodes().empty()) return;
  // Places that are not yet in any file are copied too.
  const Graph placed = moved(m_document.graph(), m_geometry.places());
  const std::string text = copyText(placed, m_document.catalog(), m_selection.nodes());
  auto* mime = new QMimeData;
  mime->setData(kNodesMime, QByteArray::fromStdString(text));
  mime->setText(toQt(text));
  QGuiApplication::clipboard()->setMimeData(mime);
  m_pastes = 0;
}

void PipelineEditor::cut() {
  if (m_selection.nodes().empty()) return;
  copy();
  m_pastes = -1;  // The first paste returns the nodes to their old places.
  Graph after =
      removeNodes(m_document.graph(), m_document.catalog(), m_selection.nodes(), Healing::Cut);
  m_document.edit("Cut " + selectedTitles(), m_geometry.settled(std::move(after)));
}

void PipelineEditor::paste(Incoming incoming, std::optional<QPointF> at) {
  const QMimeData* mime = QGuiApplication::clipboard()->mimeData();
  if (mime == nullptr) return;
  const QByteArray text =
      mime->hasFormat(kNodesMime) ? mime->data(kNodesMime) : mime->text().toUtf8();
  ++m_pastes;
  const double step = 3 * kGrid * m_pastes;
  pasteText(text, at ? *at - cornerOf(text) : QPointF(step, step), incoming, "Paste");
}

/// The upper left corner of the copied nodes.
QPointF PipelineEditor::cornerOf(const QByteArray& text) const {
  const Result<Pasted> nodes =
      millrace::paste({}, m_document.catalog(),
                      std::string_view(text.constData(), static_cast<std::size_t>(text.size())), {},
                      Incoming::Drop);
  QRectF all;
  if (nodes)
    for (const GraphNode& node : nodes->graph.nodes)
      if (const auto place = placeOf(node)) all |= QRectF(*place, QSizeF(kNodeWidth, kNodeHeight));
  return all.topLeft();
}

void PipelineEditor::duplicate() {
  if (m_selection.nodes().empty()) return;
  const Graph placed = moved(m_document.graph(), m_geometry.places());
  const std::string text = copyText(placed, m_document.catalog(), m_selection.nodes());
  pasteText(QByteArray::fromStdString(text), QPointF(3 * kGrid, kNodeHeight + 3 * kGrid),
            Incoming::Drop, "Duplicate");
}

void PipelineEditor::pasteText(const QByteArray& text, QPointF offset, Incoming incoming,
                               const QString& name) {
  Result<Pasted> pasted = millrace::paste(
      m_document.graph(), m_document.catalog(),
      std::string_view(text.constData(), static_cast<std::size_t>(text.size())), offset, incoming);
  if (!pasted) {
    emit m_document.refused(sentence(pasted.error().message));
    return;
  }
  const std::vector<NodeId> ids = pasted->ids;
  const QString what = ids.size() == 1 ? toQt(ids.front()) : QString("%1 nodes").arg(ids.size());
  Graph after = std::move(pasted->graph);
  // What was cut returns to its place.
  if (!offset.isNull()) after = withFreePlace(std::move(after), ids);
  const bool isOpen = incoming == Incoming::Keep && lacksInput(after, ids.front());
  m_document.edit(name + " " + what, m_geometry.settled(std::move(after)));
  m_selection.set(ids);
  if (isOpen)
    emit m_document.refused(
        "Pasted without the incoming wire: the node that it came from leads to another node.");
}

/// Whether a node that takes input has no wire to it.
bool PipelineEditor::lacksInput(const Graph& graph, const NodeId& id) const {
  const NodeSpec* kind = m_document.catalog().find(graph.node(id)->kind);
  return (kind == nullptr || kind->role != NodeRole::Source) &&
         std::ranges::find(graph.wires, id, &GraphWire::to) == graph.wires.end();
}

/// The nodes are moved together to where they cover no other node.
Graph PipelineEditor::withFreePlace(Graph graph, const std::vector<NodeId>& ids) const {
  const CanvasLayout layout = m_geometry.layoutOf(graph);
  QRectF all;
  for (const NodeId& id : ids) all |= layout.nodes.at(id);
  const QPointF by = freePlace(layout, ids) - all.topLeft();
  NodePlaces places;
  for (const NodeId& id : ids) places[id] = layout.nodes.at(id).topLeft() + by;
  return moved(std::move(graph), places);
}

}  // namespace millrace
