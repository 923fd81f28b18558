// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/page_notices.h"

#include <QFileInfo>

#include "widgets/canvas/pipeline_page.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/strings.h"

namespace millrace {

PageNotices::PageNotices(PipelinePage& page)
    : QObject(&page),
      m_page(page),
      m_file(page.session().document),
      m_data(page.session().document),
      m_choose([this](const MissingPath& missing) { return askPlace(missing); }) {
  connect(&m_file, &FileWatch::changed, this, &PageNotices::changed);
  connect(&m_data, &MissingData::changed, this, &PageNotices::changed);
}

void PageNotices::lookAgain() {
  m_file.look();
  m_data.look();
}

QList<Notice> PageNotices::notices() {
  QList<Notice> notices;
  addFileNotice(notices);
  for (const MissingPath& missing : m_data.paths()) {
    const QString where = m_page.session().editor.titleOf(missing.node);
    notices << Notice{QString("%1: nothing is at %2.").arg(where, toQt(missing.path)),
                      {{"Locate data…", [this, missing] { locate(missing); }}}};
  }
  return notices;
}

QString PageNotices::missing() const {
  const std::vector<MissingPath>& paths = m_data.paths();
  if (paths.empty()) return {};
  const QString first = toQt(paths.front().path);
  return paths.size() == 1 ? "nothing is at " + first
                           : QString("nothing is at %1 paths, first ").arg(paths.size()) + first;
}

QString PageNotices::missingWords() const {
  const QString words = missing().toHtmlEscaped();
  return words.isEmpty() ? words : "Not ready: " + words + ". <a href=\"locate\">Locate data…</a>";
}

QString PageNotices::missingSentence() const {
  const QString words = missing();
  return words.isEmpty()
             ? words
             : sentence(fromQt(words)) + " “Locate data…” above the canvas says where it is now.";
}

void PageNotices::locateFirst() {
  // A value: what is missing changes with the answer.
  if (!m_data.paths().empty()) locate(MissingPath(m_data.paths().front()));
}

void PageNotices::addFileNotice(QList<Notice>& notices) {
  Document& document = m_page.session().document;
  const QString name = document.title();
  const auto keep = [this] { m_file.accept(); };
  if (m_file.state() == FileWatch::State::Gone)
    notices << Notice{name +
                          " was removed or renamed by another program. It stays open here; "
                          "Save writes it again.",
                      {{"Understood", keep}}};
  if (m_file.state() != FileWatch::State::Changed) return;
  const bool modified = document.isModified();
  notices << Notice{name + " was changed by another program." +
                        (modified ? " Reloading drops the changes made here." : ""),
                    {{"Reload", [this] { emit reloadRequested(); }},
                     {modified ? "Keep mine" : "Keep as it is here", keep}}};
}

void PageNotices::locate(const MissingPath& missing) {
  const QString place = m_choose(missing);
  if (place.isEmpty()) return;
  Document& document = m_page.session().document;
  const QString text =
      QString("Locate data of %1: %2 → %3")
          .arg(m_page.session().editor.titleOf(missing.node), toQt(missing.path), place);
  document.tryEdit(text, withDataAt(document.graph(), document.catalog(), document.base(),
                                    !document.filePath().isEmpty(), missing, pathOf(place)));
}

QString PageNotices::askPlace(const MissingPath& missing) {
  const QString title = "Locate " + toQt(missing.path);
  const QString start = fileText(m_page.session().document.base());
  // A name with an ending is a file's.
  if (std::filesystem::path(missing.path).has_extension())
    return askOpenFile(&m_page, title, start);
  return askFolder(&m_page, title, start);
}

}  // namespace millrace
