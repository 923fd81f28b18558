// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include <QList>
#include <QWidget>

#include "core/inspect/report/data_report.h"
#include "widgets/charts/view_export.h"

namespace millrace {

/// How many samples have each of several values, one named bar each. The context menu copies and
/// exports it. GUI thread.
class CountBars : public QWidget {
  Q_OBJECT
 public:
  explicit CountBars(const QString& title, QWidget* parent = nullptr);

  struct Bar {
    QString name;
    std::uint64_t count = 0;
  };
  /// Without bars it is hidden. Of very many, the last ones are only in `table`.
  void show(const QList<Bar>& bars);
  const QList<Bar>& bars() const { return m_bars; }
  const QString& title() const { return m_title; }
  TextTable table() const;
  /// The file's suffix selects png, svg, csv or json.
  Status exportTo(const QString& file) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  ViewExport description() const;
  void paint(QPainter& painter) const;
  qsizetype shown() const;

  QString m_title;
  QList<Bar> m_bars;
  std::uint64_t m_sum = 0;
  std::uint64_t m_most = 0;
};

/// Bars in the order of the map's names.
QList<CountBars::Bar> barsOf(const CountByName& counts);
/// Bars in the order of `names`, without those that nothing has.
QList<CountBars::Bar> barsOf(const CountByName& counts, const QStringList& names);
/// The classes of a set, the most frequent first.
QList<CountBars::Bar> classBars(const SetReport& set);

}  // namespace millrace
