// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>

#include "app/workbench/search_desk.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/live_sweep.h"
#include "widgets/models/unfinished_sweep.h"
#include "widgets/runs/store_thread.h"

class QToolBar;

namespace millrace {

class SweepDialog;
class SweepPage;

/// Sweeping as part of the main window. GUI thread.
class SweepDesk : public SearchDesk {
  Q_OBJECT
 public:
  explicit SweepDesk(const Place& place);
  ~SweepDesk() override;

  void fillToolBar(QToolBar& bar);
  void refresh() override;

  /// Opens the dialog for the front page; a parameter joins those that are there.
  void ask(const NodeId& node = {}, const std::string& param = {});
  /// Measures; `resumed`: the experiment to go on with.
  void start(PipelinePage& page, const SweepOrder& order, const QString& resumed = {});

  /// Looks whether the store has a sweep of this page's document that can go on.
  void look(PipelinePage& page);
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
  void takeEvent(const QJsonObject& event) override { m_sweep.take(event); }
  void takeEnd(const ChildEnd& end) override { m_sweep.finish(end); }
  void showNewsInView(bool stopping) override;
  void say(const QString& sentence) override;
  void setObstacles(const QString& begin, const QString& take) override;
  QString goingWords() const override;

 private:
  void openDialog(PipelinePage& page);
  void take(std::size_t point);
  void copy(const SweepOrder& order, PipelinePage* page);
  SweepOrder usualOrder() const;
  void keepUsual(const SweepOrder& order);

  StoreThread m_store;
  LiveSweep m_sweep;
  SweepPage* m_page;  ///< parentless until it is a tab
  QPointer<SweepDialog> m_dialog;
  SweepOrder m_order;  ///< of the sweep that goes on, or went last
  JobOrder m_asked;
  std::map<PipelinePage*, UnfinishedSweep> m_unfinished;
};

}  // namespace millrace
