// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "app/workbench/controllers/search_controller.h"
#include "widgets/data/data_page.h"
#include "widgets/data/live_report.h"

namespace millrace {

/// The report on a document's data in the main window. GUI thread.
class DataReportController : public SearchController {
  Q_OBJECT
 public:
  explicit DataReportController(const Place& place);
  ~DataReportController() override;

  /// Examines the data of the page in front and shows the report.
  void ask();
  void examine(PipelinePage& page, const std::filesystem::path& path);
  /// Saves a part of the finished report; the engine writes the file.
  void save(const ReportExport& what, const QString& file);

  /// Whether samples are being read.
  bool isBusy() const { return isRunning() || m_saving.isRunning(); }
  const LiveReport& report() const { return m_report; }
  DataPage& page() { return *m_page; }
  EngineJob& saving() { return m_saving; }

 protected:
  QWidget& view() override { return *m_page; }
  QWidget& plot() override;
  void takeEvent(const StreamEvent& event) override;
  void takeEnd(const ChildEnd& end) override { m_report.finish(end); }
  void showNewsInView(bool stopping) override;
  void say(const QString& sentence) override { m_page->say(sentence); }
  void setObstacles(const QString& begin, const QString& take) override;
  QString goingText() const override { return "Examining the data of " + m_report.title(); }
  /// Data can be examined before its pipeline can run.
  QString obstacleOf(PipelinePage*) const override { return {}; }

 private:
  void read(std::string json);
  void normalise(std::size_t set);
  void askWhere(const ReportExport& what);
  void concludeSaving(const ChildEnd& end);
  void copyCommand();
  void stopAll();

  LiveReport m_report;
  EngineJob m_saving;
  QString m_savedFile;
  DataPage* m_page;   ///< has no parent until it is a tab
  int m_reading = 0;  ///< counts the reports, so that an outdated one is dropped
};

}  // namespace millrace
