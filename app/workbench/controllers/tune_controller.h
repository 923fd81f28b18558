// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "app/workbench/controllers/search_controller.h"
#include "widgets/models/search/live_tune.h"
#include "widgets/models/search/tune_order.h"

namespace millrace {

class TuneDialog;
class TunePage;

/// The tuner in the main window. GUI thread.
class TuneController : public SearchController {
  Q_OBJECT
 public:
  explicit TuneController(const Place& place);
  ~TuneController() override;

  /// Opens the dialog for the page in front.
  void ask();
  void start(PipelinePage& page, const TuneOrder& order);

  const LiveTune& tune() const { return m_tune; }
  TunePage& page() { return *m_page; }
  void setStore(const std::filesystem::path& file) { m_store = file; }
  TuneDialog* dialog() const;

 protected:
  QWidget& view() override;
  QWidget& plot() override;
  void takeEvent(const StreamEvent& event) override { m_tune.take(event); }
  void takeEnd(const ChildEnd& end) override { m_tune.finish(end); }
  void showNewsInView(bool stopping) override;
  void say(const QString& sentence) override;
  void setObstacles(const QString& begin, const QString& take) override;
  QString goingText() const override { return "Tuning " + m_tune.title(); }

 private:
  void openDialog(PipelinePage& page);
  void take(std::size_t trial);
  void copy(const TuneOrder& order, PipelinePage* page);
  TuneOrder usualOrder() const;
  void keepUsual(const TuneOrder& order);

  std::filesystem::path m_store;
  LiveTune m_tune;
  TunePage* m_page;  ///< has no parent until it is a tab
  QPointer<TuneDialog> m_dialog;
  TuneOrder m_order;  ///< of the current or last tuning
};

}  // namespace millrace
