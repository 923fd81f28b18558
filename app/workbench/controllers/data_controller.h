// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QObject>
#include <QPointer>

#include "widgets/bridge/data_probe.h"

class QStatusBar;

namespace millrace {

class PageNotices;
class PipelinePage;
class StatusNote;

/// Shows facts about the current document's data in the status line; problems of the data join
/// those of the check. Data is not probed during a measurement. GUI thread.
class DataController : public QObject {
  Q_OBJECT
 public:
  struct Hooks {
    std::function<PipelinePage*()> front;
    std::function<bool()> isMeasuring;
  };
  DataController(QStatusBar& bar, Hooks hooks, QObject* parent);

  /// Probes a new page's data, and again when its notices change: missing data may have come back.
  void watch(PipelinePage& page, PageNotices& notices);
  /// Call when another page is in front, or when a measurement began or ended.
  void refresh();
  /// nullptr: no document is in front.
  DataProbe* probe() const;

 private:
  void show();

  Hooks m_hooks;
  StatusNote* m_words;
  std::vector<QPointer<DataProbe>> m_probes;
};

}  // namespace millrace
