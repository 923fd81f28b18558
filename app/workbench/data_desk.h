// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QObject>
#include <QPointer>

#include "widgets/bridge/data_look.h"

class QStatusBar;

namespace millrace {

class PageNotices;
class PipelinePage;
class StatusNote;

/// What is known of the data of the document in front, in the status line; its problems are the
/// check's. Nothing is looked at while anything is measured. GUI thread.
class DataDesk : public QObject {
  Q_OBJECT
 public:
  struct Hooks {
    std::function<PipelinePage*()> front;
    std::function<bool()> isMeasuring;
  };
  DataDesk(QStatusBar& bar, Hooks hooks, QObject* parent);

  /// A new page's data, looked at again when its notices change: it may have come back.
  void watch(PipelinePage& page, PageNotices& notices);
  /// Another page is in front, or a measurement began or is over.
  void refresh();
  /// nullptr: no document is in front.
  DataLook* look() const;

 private:
  void show();

  Hooks m_hooks;
  StatusNote* m_words;
  std::vector<QPointer<DataLook>> m_looks;
};

}  // namespace millrace
