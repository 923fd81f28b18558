// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>

#include "app/workbench/controllers/search_controller.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/search/live_sweep.h"
#include "widgets/models/search/unfinished_sweep.h"
#include "widgets/runs/store_thread.h"

class QToolBar;

namespace millrace {

class SweepDialog;
class SweepPage;

/// Sweeps in the main window. GUI thread.
class SweepController : public SearchController {
  Q_OBJECT
 public:
  explicit SweepController(const Place& place);
  ~SweepController() override;

  void fillToolBar(QToolBar& bar);
  void refresh() override;

  /// Opens the dialog for the page in front; a parameter is added to those already listed.
  void ask(const NodeId& node = {}, const std::string& param = {});
  /// Starts measuring; `resumed`: the experiment to continue.
  void start(PipelinePage& page, const SweepOrder& order, const QString& resumed = {});

  /// Checks whether the store has an unfinished sweep of this page's document that can be
  /// continued.
  void findUnfinished(PipelinePage& page);
  QList<Notice> notices(PipelinePage* page);

  const LiveSweep& sweep() const { return m_sweep; }
  SweepPage& page() { return *m_page; }
  SweepDialog* dialog() const;
  void setStore(const std::filesystem::path& file) { m_store.setFile(file); }

 signals:
  void noticesChanged();

 protected:
  QWidget& view() override;
  QWidget& plot() override;
  void takeEvent(const StreamEvent& event) override { m_sweep.take(event); }
  void takeEnd(const ChildEnd& end) override { m_sweep.finish(end); }
  void showNewsInView(bool stopping) override;
  void say(const QString& sentence) override;
  void setObstacles(const QString& begin, const QString& take) override;
  QString goingText() const override;

 private:
  void openDialog(PipelinePage& page);
  void take(std::size_t point);
  void copy(const SweepOrder& order, PipelinePage* page);
  SweepOrder usualOrder() const;
  void keepUsual(const SweepOrder& order);

  StoreThread m_store;
  LiveSweep m_sweep;
  SweepPage* m_page;  ///< has no parent until it is a tab
  QPointer<SweepDialog> m_dialog;
  SweepOrder m_order;  ///< of the current or last sweep
  JobOrder m_asked;
  std::map<PipelinePage*, UnfinishedSweep> m_unfinished;
};

}  // namespace millrace
