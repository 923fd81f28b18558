// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/page_notices.h"

#include <QFileInfo>

#include "widgets/bridge/file_work.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr int kPlaceMomentMs = 1000;
constexpr const char* kRemedy = "use “Locate data…” above the canvas to choose its new place";

}  // namespace

PageNotices::PageNotices(PipelinePage& page)
    : QObject(&page),
      m_page(page),
      m_file(page.session().document),
      m_data(page.session().document),
      m_choose([this](const MissingPath& missing, const QString& start) {
        return askPlace(missing, start);
      }) {
  m_moment.setSingleShot(true);
  m_moment.setInterval(kPlaceMomentMs);
  connect(&m_moment, &QTimer::timeout, this, &PageNotices::changed);
  connect(&m_file, &FileWatch::changed, this, &PageNotices::changed);
  connect(&m_data, &MissingData::changed, this, &PageNotices::changed);
  connect(&page.session().code, &CodeTrust::changed, this, &PageNotices::changed);
}

void PageNotices::checkAgain() {
  m_file.check();
  m_data.check();
  m_page.session().code.check();
}

QList<Notice> PageNotices::notices() {
  QList<Notice> notices;
  addFileNotice(notices);
  CodeTrust& code = m_page.session().code;
  if (const QString question = code.question(); !question.isEmpty())
    notices << Notice{question, {{"Run it", [&code] { code.allowAll(); }}}};
  if (!m_place.isEmpty() && !m_moment.isActive())
    notices << Notice{"Still waiting for " + m_place + "…",
                      {{"Give up", [this] { endWaiting(); }}}};
  for (const MissingPath& missing : m_data.paths()) {
    const QString where = m_page.session().editor.titleOf(missing.node);
    notices << Notice{QString("%1: %2 does not exist.").arg(where, toQt(missing.path)),
                      {{"Locate data…", [this, missing] { locate(missing); }}}};
  }
  return notices;
}

QString PageNotices::missing() const {
  const std::vector<MissingPath>& paths = m_data.paths();
  if (paths.empty()) return {};
  const QString first = toQt(paths.front().path);
  return paths.size() == 1
             ? "the path " + first + " does not exist"
             : QString("%1 paths do not exist, the first is ").arg(paths.size()) + first;
}

QString PageNotices::missingText() const {
  const QString words = missing().toHtmlEscaped();
  return words.isEmpty() ? words : "Not ready: " + words + ". <a href=\"locate\">Locate data…</a>";
}

QString PageNotices::missingSentence() const {
  const QString words = missing();
  return words.isEmpty() ? words : sentence(fromQt(words)) + ' ' + sentence(kRemedy);
}

std::vector<Problem> PageNotices::missingProblems() const {
  std::vector<Problem> problems;
  for (const MissingPath& missing : m_data.paths())
    problems.push_back({Severity::Error, missing.node, missing.param,
                        "the path " + missing.path + " does not exist", kRemedy});
  return problems;
}

void PageNotices::locateFirst() {
  // A copy, because the list changes with the answer.
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
                      {{"OK", keep}}};
  if (m_file.state() != FileWatch::State::Changed) return;
  const bool modified = document.isModified();
  notices << Notice{name + " was changed by another program." +
                        (modified ? " Reloading discards your changes." : ""),
                    {{"Reload", [this] { emit reloadRequested(); }},
                     {modified ? "Keep mine" : "Keep this version", keep}}};
}

/// The dialog and the steps after it access folders that may not respond, so both run on another
/// thread.
void PageNotices::locate(const MissingPath& missing) {
  withStartFolder(*this, fileText(m_page.session().document.base()),
                  [this, missing](const QString& start) {
                    const QString place = m_choose(missing, start);
                    if (!place.isEmpty()) locateAt(missing, place);
                  });
}

void PageNotices::locateAt(const MissingPath& missing, const QString& place) {
  const Document& document = m_page.session().document;
  m_place = place;
  m_moment.start();
  doFileWork(*this, [this, number = ++m_located, graph = document.graph(),
                     &catalog = document.catalog(), base = document.base(),
                     inFile = !document.filePath().isEmpty(), missing, place] {
    const Result<Graph> located = withDataAt(graph, catalog, base, inFile, missing, pathOf(place));
    return [this, number, graph, located, missing, place] {
      if (number != m_located) return;
      // Edits made meanwhile are kept.
      if (m_page.session().document.graph() != graph) return locateAt(missing, place);
      endWaiting();
      m_page.session().document.tryEdit(
          QString("Locate data of %1: %2 → %3")
              .arg(m_page.session().editor.titleOf(missing.node), toQt(missing.path), place),
          located);
    };
  });
}

void PageNotices::endWaiting() {
  ++m_located;
  m_place.clear();
  m_moment.stop();
  emit changed();
}

QString PageNotices::askPlace(const MissingPath& missing, const QString& start) {
  const std::filesystem::path path(missing.path);
  const QString title = "Locate " + toQt(missing.path);
  // A pattern that names many files keeps its name in another folder.
  if (missing.path.find('{') != std::string::npos) {
    const QString folder = askFolder(&m_page, title, start);
    return folder.isEmpty() ? folder : folder + '/' + fileText(path.filename());
  }
  // A name with a suffix is a file's.
  return path.has_extension() ? askOpenFile(&m_page, title, start)
                              : askFolder(&m_page, title, start);
}

}  // namespace millrace
