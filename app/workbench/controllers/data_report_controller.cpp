// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/data_report_controller.h"

#include <memory>
#include <utility>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QListWidget>
#include <QMainWindow>
#include <QThreadPool>

#include "core/events/jobs/data_report_json.h"
#include "core/inspect/report/normalise_edit.h"
#include "widgets/bridge/file_save.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/shell_command.h"
#include "widgets/common/strings.h"
#include "widgets/data/data_choices.h"
#include "widgets/data/report_text.h"
#include "widgets/models/node_display.h"

namespace millrace {

namespace {

/// The engine takes no requests here: a stop is a signal at once. It then finishes the samples in
/// work and compares what it has.
constexpr EngineChild::Patience kAtOncePatience{0, 10000};

JobOrder orderFor(const std::filesystem::path& path, const QString& name,
                  const QStringList& more = {}) {
  JobOrder order;
  order.command = "inspect";
  order.name = name;
  order.flags = QStringList{"--all", fileText(path)} + more;
  return order;
}

QStringList flagsOf(const ReportExport& what, const QString& file) {
  QStringList flags{"-o", file, "--force"};
  if (what.kind == ReportExport::Kind::Json) return flags;
  const QString list = what.kind == ReportExport::Kind::Clean ? QString("clean")
                       : what.finding                         ? toQt(nameOf(*what.finding))
                                                              : QString("all");
  flags << "--list" << list;
  if (!file.endsWith(".txt", Qt::CaseInsensitive)) flags << "--csv";
  return flags;
}

}  // namespace

DataReportController::DataReportController(const Place& place)
    : SearchController(place, {"examine", "data report", "Data", "E&xamine the data",
                               "Show the data re&port", "Ctrl+Shift+D"}),
      m_page(new DataPage(m_report)) {
  connect(&askAction(), &QAction::triggered, this, &DataReportController::ask);
  job().setPatience(kAtOncePatience);
  m_saving.setPatience(kAtOncePatience);
  connect(m_page, &DataPage::stopRequested, this, &DataReportController::stopAll);
  connect(m_page, &DataPage::examineRequested, this, [this](const std::filesystem::path& path) {
    if (searched() != nullptr) examine(*searched(), path);
  });
  connect(m_page, &DataPage::normaliseRequested, this, &DataReportController::normalise);
  connect(m_page, &DataPage::exportRequested, this, &DataReportController::askWhere);
  connect(m_page, &DataPage::commandRequested, this, &DataReportController::copyCommand);
  connect(&m_saving, &EngineJob::heard, this, [this](const StreamEvent& event) {
    if (const auto* progress = std::get_if<ProgressEvent>(&event.content))
      m_page->setSaving(DataPage::Saving{progress->done, progress->of, progress->secondsLeft});
  });
  connect(&m_saving, &EngineJob::ended, this, &DataReportController::concludeSaving);
}

DataReportController::~DataReportController() { delete m_page; }

QWidget& DataReportController::plot() { return m_page->parts(); }

void DataReportController::ask() {
  PipelinePage* page = front();
  if (page == nullptr) return;
  if (isBusy()) return show();
  const Document& document = page->session().document;
  const auto choices =
      dataChoices(dataPlaces(document.graph(), document.catalog(), document.base()));
  if (choices.empty())
    return page->warn("There is no data to examine. Choose the files of the source first.");
  m_page->setChoices(choices);
  examine(*page, choices.front());
}

void DataReportController::examine(PipelinePage& page, const std::filesystem::path& path) {
  if (isBusy() || !mayBegin(page)) return;
  ++m_reading;
  m_report.begin(page.session().document.title(), path);
  m_page->say({});
  begin(page, orderFor(path, "The examination"));
}

void DataReportController::takeEvent(const StreamEvent& event) {
  if (const auto* result = std::get_if<ResultEvent>(&event.content)) return read(result->json);
  m_report.take(event);
}

/// A report names thousands of samples.
void DataReportController::read(std::string json) {
  m_report.expectReport();
  QThreadPool::globalInstance()->start(
      [self = QPointer<DataReportController>(this), json = std::move(json), number = m_reading] {
        auto parsed = parseDataReport(json);
        std::shared_ptr<const DataReport> report;
        if (parsed) report = std::make_shared<const DataReport>(std::move(*parsed));
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, report = std::move(report), number] {
              if (!self || self->m_reading != number) return;
              self->m_report.setReport(report);
              self->showNewsInView(false);
              emit self->stateChanged();
            },
            Qt::QueuedConnection);
      });
}

void DataReportController::showNewsInView(bool stopping) {
  m_page->refresh();
  if (stopping) m_page->showStopping();
}

void DataReportController::setObstacles(const QString& begin, const QString& take) {
  m_page->setObstacles(begin.isEmpty() ? take : begin, take);
}

void DataReportController::stopAll() {
  if (!m_saving.isRunning()) return stop();
  m_saving.stop();
  m_page->showStopping();
}

void DataReportController::normalise(std::size_t set) {
  if (searched() == nullptr || !m_report.report()) return;
  EditSession& session = searched()->session();
  const Document& document = session.document;
  const SetReport& figures = m_report.report()->sets.at(set);
  auto edit =
      withFiguresOf(figures, document.graph(), document.catalog(), session.selection.current());
  if (!edit) return m_page->warn("Nothing was changed: " + sentence(edit.error().message));
  if (edit->graph == document.graph())
    return m_page->say("The pipeline already normalises with these figures.");
  const GraphNode* node = edit->graph.node(edit->node);
  const QString title = titleOf(*node, document.catalog().find(node->kind));
  const QString figuresText = shownChannels(figures);
  takeIn(std::move(edit->graph),
         {(edit->isNew ? QString("%1 added, %2") : QString("%1, %2"))
              .arg(title, figuresText.left(1).toLower() + figuresText.mid(1))});
}

void DataReportController::askWhere(const ReportExport& what) {
  const QString data = fileText(m_report.path().stem());
  QString name = data + "-report.json";
  QString filters = "Report (*.json)";
  if (what.kind != ReportExport::Kind::Json) {
    const bool isClean = what.kind == ReportExport::Kind::Clean;
    // No table of files names the parts of files.
    const bool asText = isClean && m_report.report()->hasParts();
    name = data + (isClean ? "-good" : "-problems") + (asText ? ".txt" : ".csv");
    filters = asText ? "Text, one name on each line (*.txt)"
                     : "Table (*.csv);;Text, one path on each line (*.txt)";
  }
  askWhereToSave(*m_page, "Save", name, filters,
                 [this, what](const QString& file) { save(what, file); });
}

void DataReportController::save(const ReportExport& what, const QString& file) {
  if (isBusy() || !m_report.isComplete()) return;
  m_savedFile = file;
  m_page->say({});
  m_page->setSaving(DataPage::Saving{});
  m_saving.start(orderFor(m_report.path(), "Saving", flagsOf(what, file)));
  emit stateChanged();
}

void DataReportController::concludeSaving(const ChildEnd& end) {
  m_page->setSaving(std::nullopt);
  emit stateChanged();
  switch (end.kind) {
    case ChildEnd::Kind::Failed: return m_page->warn(end.sentence);
    case ChildEnd::Kind::Stopped: return m_page->say("Nothing was saved.");
    case ChildEnd::Kind::Finished: break;
  }
  m_page->say(QFileInfo::exists(m_savedFile) ? "Saved as " + m_savedFile + '.'
                                             : QString("Nothing was saved."));
}

void DataReportController::copyCommand() {
  const auto path = m_page->chosen();
  if (!path) return;
  QApplication::clipboard()->setText(
      shellCommand({"millrace", "inspect", "--all", fileText(*path)}));
  m_page->say("The command was copied to the clipboard.");
}

}  // namespace millrace
