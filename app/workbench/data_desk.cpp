// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/data_desk.h"

#include <QStatusBar>

#include "app/workbench/page_notices.h"
#include "app/workbench/status_note.h"
#include "widgets/canvas/pipeline_page.h"
#include "widgets/common/strings.h"

namespace millrace {

DataDesk::DataDesk(QStatusBar& bar, Hooks hooks, QObject* parent)
    : QObject(parent), m_hooks(std::move(hooks)), m_words(new StatusNote("source")) {
  m_words->setObjectName("data_facts");
  // A small window cuts it before anything else.
  m_words->setMinimumWidth(1);
  bar.addPermanentWidget(m_words);
}

DataLook* DataDesk::look() const {
  PipelinePage* page = m_hooks.front();
  return page == nullptr ? nullptr : page->findChild<DataLook*>();
}

void DataDesk::watch(PipelinePage& page, PageNotices& notices) {
  auto* look = new DataLook(page.session().document, page.session().check, &page);
  look->setPaused(true);  // Until it is in front.
  std::erase_if(m_looks, [](const auto& each) { return each.isNull(); });
  m_looks.emplace_back(look);
  connect(&notices, &PageNotices::changed, look, [&notices, look] {
    look->setMissing(notices.missingProblems());
    look->lookAgain();
  });
  connect(look, &DataLook::changed, this, &DataDesk::show);
}

void DataDesk::refresh() {
  DataLook* front = look();
  for (DataLook* each : m_looks)
    if (each) each->setPaused(each != front || m_hooks.isMeasuring());
  show();
}

void DataDesk::show() {
  const DataLook* front = look();
  QStringList lines;
  if (front != nullptr)
    for (const auto& [place, facts] : front->found())
      lines << fileText(place.path.filename()) + " · " + shownFacts(facts);
  m_words->setText(lines.isEmpty() ? QString() : lines.front());
  m_words->setToolTip(lines.join('\n'));
  m_words->setVisible(!lines.isEmpty());
}

}  // namespace millrace
