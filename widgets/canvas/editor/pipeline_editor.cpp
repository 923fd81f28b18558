// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/editor/pipeline_editor.h"

#include <algorithm>

#include "widgets/bridge/background_check.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/models/document.h"
#include "widgets/models/live/window_words.h"
#include "widgets/models/node_display.h"
#include "widgets/models/notes.h"

namespace millrace {

using namespace canvas;

PipelineEditor::PipelineEditor(Document& document, Selection& selection, BackgroundCheck& check,
                               CanvasGeometry& geometry)
    : QObject(&document),
      m_document(document),
      m_selection(selection),
      m_check(check),
      m_geometry(geometry) {}

WireRules PipelineEditor::rules() const {
  return WireRules(m_document.graph(), m_document.catalog(), m_check.result().streams,
                   m_document.base());
}

QString PipelineEditor::titleOf(const NodeId& id) const {
  const GraphNode* node = m_document.graph().node(id);
  return node == nullptr ? toQt(id) : millrace::titleOf(*node, m_document.specOf(id));
}

QString PipelineEditor::selectedTitles() const {
  const auto& nodes = m_selection.nodes();
  return nodes.size() == 1 ? titleOf(nodes.front()) : QString("%1 nodes").arg(nodes.size());
}

namespace {

/// Whether the kind's check may read the disk. The GUI thread must not: a disk may never respond.
bool asksTheDisk(const NodeSpec* spec) {
  return spec != nullptr && std::ranges::any_of(spec->params, [](const ParamSpec& param) {
           return param.names != DiskName::Nothing;
         });
}

}  // namespace

std::vector<PipelineEditor::Gap> PipelineEditor::gapsWithout(const std::vector<NodeId>& ids,
                                                             Passing passing) const {
  const Graph& graph = m_document.graph();
  const WireRules rules = this->rules();
  const auto isOut = [&](const NodeId& id) {
    if (std::ranges::find(ids, id) != ids.end()) return true;
    const GraphNode* node = graph.node(id);
    return passing == Passing::Bypassed && node != nullptr && node->state == NodeState::Bypass;
  };
  std::vector<Gap> gaps;
  for (const NodeId& id : ids) {
    const auto into = std::ranges::find(graph.wires, id, &GraphWire::to);
    if (into == graph.wires.end() || std::ranges::find(ids, into->from) != ids.end()) continue;
    std::optional<NodeId> after = nodeAfter(graph, id);
    for (std::size_t i = 0; i < graph.nodes.size() && after && isOut(*after); ++i)
      after = nodeAfter(graph, *after);
    if (!after || isOut(*after) || asksTheDisk(m_document.specOf(*after))) continue;
    const Status fits = rules.mayLead(into->from, *after);
    gaps.push_back({into->from, *after,
                    fits ? QString() : cannotFollow(titleOf(*after), into->from, fits.error())});
  }
  return gaps;
}

bool PipelineEditor::allowed(const NodeId& from, const NodeId& to) {
  const Status fits = rules().mayLead(from, to);
  if (!fits) emit m_document.refused(cannotFollow(titleOf(to), from, fits.error()));
  return fits.ok();
}

/// Why a wire is refused. What the rules say of a node does not always name it.
QString PipelineEditor::cannotFollow(const QString& title, const NodeId& before,
                                     const Error& why) const {
  return QString("%1 cannot follow %2: %3.").arg(title, titleOf(before), reason(why));
}

QString PipelineEditor::reason(const Error& why) const { return inWindowWords(toQt(why.message)); }

QString PipelineEditor::inWindowWords(const QString& sentence) const {
  return windowWords(sentence, [this](const QString& word) {
    const NodeId id = fromQt(word.section('.', 0, 0));
    if (m_document.graph().node(id) == nullptr) return QString();
    if (!word.contains('.')) return titleOf(id);
    const NodeSpec* spec = m_document.specOf(id);
    const ParamSpec* param = spec == nullptr ? nullptr : spec->param(fromQt(word.section('.', 1)));
    return param == nullptr ? QString() : titleOf(id) + " › " + toQt(param->label);
  });
}

bool PipelineEditor::connectNodes(const NodeId& from, const NodeId& to) {
  if (!allowed(from, to)) return false;
  Result<Graph> after = connectReplacing(m_document.graph(), m_document.catalog(), from, to);
  if (after) after = m_geometry.settled(after.take());
  return m_document.tryEdit(QString("Connect %1 to %2").arg(titleOf(from), titleOf(to)),
                            std::move(after));
}

bool PipelineEditor::disconnect(const WireKey& wire) {
  Result<Graph> after = disconnectNodes(m_document.graph(), wire.from, wire.to);
  if (after) after = m_geometry.settled(after.take());
  return m_document.tryEdit(
      QString("Disconnect %1 from %2").arg(titleOf(wire.from), titleOf(wire.to)), std::move(after));
}

void PipelineEditor::removeSelected(Healing healing) {
  if (m_selection.wire()) {
    disconnect(WireKey(*m_selection.wire()));
    return;
  }
  if (m_selection.comment()) {
    m_document.edit("Delete a comment", removeComment(m_document.graph(), *m_selection.comment()));
    m_selection.clear();
    return;
  }
  if (m_selection.nodes().empty()) return;
  Graph after = removeNodes(m_document.graph(), m_document.catalog(), m_selection.nodes(), healing);
  QString open;
  if (healing == Healing::Heal)
    for (const Gap& gap : gapsWithout(m_selection.nodes(), Passing::Nothing)) {
      if (gap.why.isEmpty()) continue;
      Result<Graph> cut = disconnectNodes(after, gap.before, gap.after);
      if (!cut) continue;
      after = cut.take();
      open = "Not reconnected: " + gap.why;
    }
  const QString text = healing == Healing::Heal ? "Delete %1 and reconnect" : "Delete %1";
  m_document.edit(text.arg(selectedTitles()), m_geometry.settled(std::move(after)));
  if (!open.isEmpty()) emit m_document.refused(open);
}

bool PipelineEditor::isBypassed() const {
  return std::ranges::all_of(m_selection.nodes(), [&](const NodeId& id) {
    return m_document.graph().node(id)->state == NodeState::Bypass;
  });
}

std::optional<QString> PipelineEditor::whyNoBypass() const {
  if (m_selection.nodes().empty()) return "Select a node first.";
  const Result<Graph> after =
      millrace::toggleBypass(m_document.graph(), m_document.catalog(), m_selection.nodes());
  if (!after) return sentence(after.error().message).remove('`');
  if (isBypassed()) return std::nullopt;
  for (const Gap& gap : gapsWithout(m_selection.nodes(), Passing::Bypassed))
    if (!gap.why.isEmpty()) return gap.why;
  return std::nullopt;
}

void PipelineEditor::toggleBypass() {
  const auto& ids = m_selection.nodes();
  if (ids.empty()) return;
  if (const auto why = whyNoBypass()) return void(emit m_document.refused(*why));
  const bool all = isBypassed();
  Result<Graph> after = millrace::toggleBypass(m_document.graph(), m_document.catalog(), ids);
  if (after) after = m_geometry.settled(after.take());
  m_document.tryEdit(QString(all ? "Use %1 again" : "Bypass %1").arg(selectedTitles()),
                     std::move(after));
}

std::optional<QString> PipelineEditor::whyNotPlain() const {
  if (m_selection.nodes().size() != 1) return "Select a consumer first.";
  const Result<AddedNode> after = millrace::togglePlainConsumer(
      m_document.graph(), m_document.catalog(), m_selection.current());
  if (!after) return sentence(after.error().message).remove('`');
  return std::nullopt;
}

void PipelineEditor::togglePlainConsumer() {
  if (m_selection.nodes().size() != 1) return;
  Result<AddedNode> after = millrace::togglePlainConsumer(m_document.graph(), m_document.catalog(),
                                                          m_selection.current());
  if (!after) {
    emit m_document.refused(sentence(after.error().message));
    return;
  }
  const NodeId id = after->id;
  m_document.edit("Replace " + titleOf(m_selection.current()), std::move(after->graph));
  m_selection.set({id});
}

void PipelineEditor::move(const NodePlaces& wanted) {
  NodePlaces places = wanted;
  const auto& nodes = m_geometry.layout().nodes;
  const auto covers = [&] {
    for (const auto& [id, place] : places) {
      const bool isFrame = m_geometry.layout().isFrame(id);
      for (const auto& [other, body] : nodes)
        if (!isFrame && !places.contains(other) &&
            body.intersects(QRectF(place, nodes.at(id).size())))
          return true;
    }
    return false;
  };
  constexpr int kMostSteps = 400;
  for (int step = 0; step < kMostSteps && covers(); ++step)
    for (auto& [id, place] : places) place.ry() += kGrid;
  Graph after = moved(m_document.graph(), places);
  const QString name =
      places.size() == 1 ? titleOf(places.begin()->first) : QString("%1 nodes").arg(places.size());
  m_document.edit("Move " + name, m_geometry.settled(std::move(after)));
}

void PipelineEditor::nudge(QPointF by) {
  NodePlaces places;
  for (const NodeId& id : m_selection.nodes()) {
    for (const NodeId& member : m_geometry.layout().framed(id))
      places[member] = m_geometry.places().at(member) + by;
    places[id] = m_geometry.places().at(id) + by;
  }
  if (places.empty()) return;
  // Not settled: a node that crosses a region must not be pushed out at each step.
  m_document.edit("Move " + selectedTitles(), moved(m_document.graph(), places), "nudge");
}

void PipelineEditor::arrange() {
  m_document.edit("Arrange", m_geometry.arrangedGraph(m_document.graph()));
}

void PipelineEditor::selectAll() { m_selection.set(m_document.graph().ids()); }

QString PipelineEditor::whyNoRename(const NodeId& id, const std::string& newId) const {
  if (newId.empty()) return "Type a name.";
  const Result<Graph> after = renameNode(m_document.graph(), m_document.catalog(), id, newId);
  return after ? QString() : sentence(after.error().message).remove('`');
}

bool PipelineEditor::rename(const NodeId& id, const std::string& newId) {
  const QString text = QString("Rename %1 to %2").arg(toQt(id), toQt(newId));
  const NodePlaces place{{newId, m_geometry.places().at(id)}};
  Result<Graph> after = renameNode(m_document.graph(), m_document.catalog(), id, newId);
  if (after) after = renamedInGroups(moved(after.take(), place), id, newId);
  if (!m_document.tryEdit(text, std::move(after))) return false;
  m_selection.set({newId});
  return true;
}

bool PipelineEditor::setParameter(const std::vector<NodeId>& ids, const ParamSpec& param,
                                  const Value& value) {
  if (ids.empty()) return false;
  Graph after = m_document.graph();
  for (const NodeId& id : ids) {
    Result<Graph> set =
        millrace::setParameter(std::move(after), m_document.catalog(), id, param.name, value);
    if (!set) return m_document.tryEdit({}, set.error());
    after = set.take();
  }
  const GraphNode* node = m_document.graph().node(ids.front());
  const QString name = ids.size() == 1 ? titleOf(ids.front()) : QString("%1 nodes").arg(ids.size());
  const QString text =
      QString("%1 › %2: %3 → %4")
          .arg(name, toQt(param.label), shownValue(param, millrace::valueOf(*node, param)),
               shownValue(param, value));
  m_document.edit(
      text, std::move(after),
      QString("param/%1/%2/%3").arg(toQt(ids.front()), toQt(param.name)).arg(ids.size()));
  return true;
}

}  // namespace millrace
