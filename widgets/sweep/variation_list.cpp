// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/variation_list.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/search_popup.h"
#include "widgets/common/strings.h"
#include "widgets/models/document.h"
#include "widgets/models/node_display.h"
#include "widgets/sweep/sweep_axis_row.h"

namespace millrace {

VariationList::VariationList(Document& document, const QString& none, const QString& more,
                             QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_column(new QVBoxLayout),
      m_none(new QLabel(none)),
      m_search(new SearchPopup(this)) {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(8);
  m_none->setProperty("role", "hint");
  m_none->setWordWrap(true);
  m_column->addWidget(m_none);
  all->addLayout(m_column);
  auto* button = new QPushButton(more);
  button->setObjectName("vary_another");
  button->setIcon(icon("plus"));
  connect(button, &QPushButton::clicked, this, &VariationList::choose);
  all->addWidget(button, 0, Qt::AlignLeft);
}

void VariationList::add(const NodeId& node, const std::string& param) {
  for (SweepAxisRow* row : m_rows)
    if (row->variation().node == node && row->variation().param == param)
      return row->line().setFocus();
  const GraphNode* found = m_document.graph().node(node);
  const NodeSpec* kind = m_document.specOf(node);
  const ParamSpec* spec = found == nullptr || kind == nullptr ? nullptr : kind->param(param);
  if (spec == nullptr) return;
  const auto proposed = proposedValues(*spec, valueOf(*found, *spec));
  auto* row = new SweepAxisRow(
      {node, param, proposed.empty() ? std::string() : fromQt(proposed.front().values)}, *spec,
      titleOf(*found, kind) + " › " + toQt(spec->label));
  m_rows.push_back(row);
  m_column->addWidget(row);
  connect(row, &SweepAxisRow::edited, this, &VariationList::changed);
  connect(row, &SweepAxisRow::removeRequested, this, [this, row] { remove(row); });
  m_none->hide();
  emit changed();
  row->line().setFocus();
  row->line().selectAll();
}

void VariationList::remove(SweepAxisRow* row) {
  std::erase(m_rows, row);
  m_column->removeWidget(row);
  row->hide();
  row->deleteLater();
  m_none->setVisible(m_rows.empty());
  emit changed();
}

std::vector<SweepVariation> VariationList::variations() const {
  std::vector<SweepVariation> variations;
  for (const SweepAxisRow* row : m_rows) variations.push_back(row->variation());
  return variations;
}

void VariationList::showCheck(const std::vector<QString>& problems,
                              const std::vector<std::optional<SweepAxis>>& axes) {
  for (std::size_t i = 0; i < m_rows.size() && i < problems.size(); ++i) {
    const SweepVariation variation = m_rows[i]->variation();
    const GraphNode* node = m_document.graph().node(variation.node);
    const NodeSpec* kind = m_document.specOf(variation.node);
    const ParamSpec* spec = kind == nullptr ? nullptr : kind->param(variation.param);
    if (node != nullptr && spec != nullptr) m_rows[i]->setCurrent(valueOf(*node, *spec));
    m_rows[i]->show(problems[i], i < axes.size() && axes[i] ? &*axes[i] : nullptr);
  }
}

void VariationList::choose() {
  std::vector<SearchEntry> entries;
  for (const GraphNode& node : m_document.graph().nodes) {
    const NodeSpec* kind = m_document.specOf(node.id);
    if (kind == nullptr || node.state == NodeState::Bypass) continue;
    for (const ParamSpec& param : kind->params) {
      const QString key = toQt(node.id + "." + param.name);
      const QString text = titleOf(node, kind) + " › " + toQt(param.label);
      entries.push_back({key,
                         text,
                         shownValue(param, valueOf(node, param)),
                         key,
                         icon(iconOf(*kind)),
                         {},
                         {toQt(param.label), toQt(param.name)}});
    }
  }
  constexpr int kWidth = 420;  // with the value of each
  m_search->setLeastWidth(kWidth);
  m_search->open("Find a parameter", std::move(entries), mapToGlobal(QPoint(160, 20)),
                 [this](const QString& key) {
                   add(fromQt(key.section('.', 0, 0)), fromQt(key.section('.', 1)));
                 });
}

}  // namespace millrace
