// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <QPushButton>
#include <QWidget>

#include "core/base/result.h"

class QLabel;

namespace millrace {

class Catalog;
class KeptCanvas;
struct Graph;

/// The pipeline of a run as it ran, read-only, with a button that opens it as a new document. GUI
/// thread.
class KeptPipelinePage : public QWidget {
  Q_OBJECT
 public:
  explicit KeptPipelinePage(const Catalog& catalog, QWidget* parent = nullptr);

  /// `subtitle` follows the title. Returns an error if the document cannot be read.
  Status show(const std::string& json, const QString& title, const QString& subtitle);
  /// Shows a graph that is not a pipeline, without the buttons.
  void show(const Graph& graph, const Catalog& catalog, const QString& title,
            const QString& subtitle);
  KeptCanvas& canvas() { return *m_canvas; }
  /// Offers a button that leads to the run's trace.
  void offerTrace() { m_trace->show(); }

 signals:
  void restoreRequested();
  void exportRequested();
  void traceRequested();

 private:
  KeptCanvas* m_canvas;
  QLabel* m_title;
  QLabel* m_subtitle;
  QPushButton* m_trace;
  QPushButton* m_restore;
  QPushButton* m_export;
};

}  // namespace millrace
