// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/page_runs.h"

#include <algorithm>
#include <utility>

#include "widgets/bridge/run_session.h"
#include "widgets/canvas/editor/pipeline_page.h"

namespace millrace {

namespace {

/// Whether two nodes are equal for a run: their places do not matter.
bool runsAlike(const GraphNode& a, const GraphNode& b) {
  return a.kind == b.kind && a.params == b.params && a.state == b.state;
}

}  // namespace

bool runsAlike(const Graph& a, const Graph& b) {
  return a.wires == b.wires && a.seed == b.seed &&
         std::ranges::equal(a.nodes, b.nodes, [](const GraphNode& one, const GraphNode& other) {
           return one.id == other.id && runsAlike(one, other);
         });
}

void PageRuns::begin(PipelinePage& page, Graph graph) {
  if (m_page && m_page.data() != &page)
    m_kept.push_back({m_page, m_session.run(), m_session.overlay(), std::move(m_ran)});
  m_page = &page;
  m_ran = std::move(graph);
}

void PageRuns::forgetReplaced() {
  m_kept.remove_if([this](const Kept& kept) { return kept.page.isNull() || kept.page == m_page; });
}

PipelinePage* PageRuns::page() const { return m_page; }

const PageRuns::Kept* PageRuns::keptOf(const PipelinePage& page) const {
  const auto kept =
      std::ranges::find_if(m_kept, [&](const Kept& each) { return each.page.data() == &page; });
  return kept == m_kept.end() ? nullptr : &*kept;
}

const LiveRun* PageRuns::runOf(const PipelinePage& page) const {
  if (m_page.data() == &page) return &m_session.run();
  const Kept* kept = keptOf(page);
  return kept == nullptr ? nullptr : &kept->run;
}

const Graph* PageRuns::ranOn(const PipelinePage& page) const {
  if (m_page.data() == &page) return &m_ran;
  const Kept* kept = keptOf(page);
  return kept == nullptr ? nullptr : &kept->ran;
}

bool PageRuns::differs() const {
  if (!m_page) return false;
  return !runsAlike(m_page->session().document.graph(), m_ran);
}

void PageRuns::showOn(PipelinePage& page) const {
  const bool isLive = m_page.data() == &page;
  const Kept* kept = isLive ? nullptr : keptOf(page);
  if (!isLive && kept == nullptr) return;
  RunOverlay overlay = isLive ? m_session.overlay() : kept->overlay;
  const Graph& graph = isLive ? m_ran : kept->ran;
  for (const GraphNode& node : page.session().document.graph().nodes) {
    const GraphNode* ran = graph.node(node.id);
    if (ran == nullptr || !runsAlike(node, *ran)) overlay.edited.insert(node.id);
  }
  page.scene().showRun(overlay);
}

}  // namespace millrace
