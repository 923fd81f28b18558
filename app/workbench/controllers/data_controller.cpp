// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/data_controller.h"

#include <QStatusBar>

#include "app/workbench/window/page_notices.h"
#include "app/workbench/window/status_note.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/strings.h"

namespace millrace {

DataController::DataController(QStatusBar& bar, Hooks hooks, QObject* parent)
    : QObject(parent), m_hooks(std::move(hooks)), m_words(new StatusNote("source")) {
  m_words->setObjectName("data_facts");
  // In a small window this text is cut first.
  m_words->setMinimumWidth(1);
  bar.addPermanentWidget(m_words);
}

DataProbe* DataController::probe() const {
  PipelinePage* page = m_hooks.front();
  return page == nullptr ? nullptr : page->findChild<DataProbe*>();
}

void DataController::watch(PipelinePage& page, PageNotices& notices) {
  auto* probe = new DataProbe(page.session().document, page.session().check, &page);
  probe->setPaused(true);  // Until its document is in front.
  std::erase_if(m_probes, [](const auto& each) { return each.isNull(); });
  m_probes.emplace_back(probe);
  connect(&notices, &PageNotices::changed, probe, [&notices, probe] {
    probe->setMissing(notices.missingProblems());
    probe->retryMissing();
  });
  connect(probe, &DataProbe::changed, this, &DataController::show);
}

void DataController::refresh() {
  DataProbe* front = probe();
  for (DataProbe* each : m_probes)
    if (each) each->setPaused(each != front || m_hooks.isMeasuring());
  show();
}

void DataController::show() {
  const DataProbe* front = probe();
  const auto found =
      front == nullptr ? std::vector<std::pair<DataPlace, DataFacts>>{} : front->found();
  QStringList lines;
  for (const auto& [place, facts] : found)
    lines << fileText(place.path.filename()) + " · " + shownFacts(facts);
  m_words->setText(shownData(found));
  m_words->setToolTip(lines.join('\n'));
  m_words->setVisible(!lines.isEmpty());
}

}  // namespace millrace
