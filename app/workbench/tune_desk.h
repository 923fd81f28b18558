// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "app/workbench/search_desk.h"
#include "widgets/models/live_tune.h"
#include "widgets/models/tune_order.h"

namespace millrace {

class TuneDialog;
class TunePage;

/// The tuner as part of the main window. GUI thread.
class TuneDesk : public SearchDesk {
  Q_OBJECT
 public:
  explicit TuneDesk(const Place& place);
  ~TuneDesk() override;

  /// Opens the dialog for the front page.
  void ask();
  void start(PipelinePage& page, const TuneOrder& order);

  const LiveTune& tune() const { return m_tune; }
  TunePage& page() { return *m_page; }
  TuneDialog* dialog() const;

 protected:
  QWidget& view() override;
  QWidget& plot() override;
  void takeEvent(const QJsonObject& event) override { m_tune.take(event); }
  void takeEnd(const ChildEnd& end) override { m_tune.finish(end); }
  void showNewsInView(bool stopping) override;
  void say(const QString& sentence) override;
  void setObstacles(const QString& begin, const QString& take) override;
  QString goingWords() const override { return "Tuning " + m_tune.title(); }

 private:
  void openDialog(PipelinePage& page);
  void take(std::size_t trial);
  void copy(const TuneOrder& order, PipelinePage* page);
  TuneOrder usualOrder() const;
  void keepUsual(const TuneOrder& order);

  std::filesystem::path m_store;
  LiveTune m_tune;
  TunePage* m_page;  ///< parentless until it is a tab
  QPointer<TuneDialog> m_dialog;
  TuneOrder m_order;  ///< of the tuning that goes on, or went last
};

}  // namespace millrace
