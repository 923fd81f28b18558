// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>

#include <QWidget>

#include "widgets/trace/trace_rows.h"

class QComboBox;
class QLabel;
class QPushButton;
class QStackedLayout;

namespace millrace {

class NoteStrip;
class TraceView;

/// A trace from a file: a repeat as a timeline, the legend of its colours, and a line about the
/// span below the pointer or the followed batch. The file is read on another thread. GUI thread.
class TracePage : public QWidget {
  Q_OBJECT
 public:
  explicit TracePage(QWidget* parent = nullptr);
  ~TracePage() override;

  /// Reads the file; `opened` or `failed` follows.
  void open(const QString& file);
  /// For the next trace: nodes have these titles instead of their ids, and a button leads to the
  /// pipeline, which `pipelineRequested` asks for.
  void setPipeline(TraceTitles titles);
  /// Shows a trace that was read.
  void showTrace(std::shared_ptr<const TraceFile> file);
  TraceView& view() { return *m_view; }
  QComboBox& repeats() { return *m_repeats; }
  /// The line below the timeline.
  QString words() const;
  /// What is missing from the trace, or why there is none; empty if it is complete.
  QString problem() const;

 signals:
  void opened();
  void failed(const QString& sentence);
  void pipelineRequested();

 private:
  QWidget* buildBar();
  void showWords(const QString& hovered);
  void showRepeat();
  void say(const QString& sentence);

  std::shared_ptr<const TraceFile> m_file;
  std::shared_ptr<std::atomic<bool>> m_cancelled;  ///< of the file being read
  TraceTitles m_titles;
  QPushButton* m_toPipeline;
  QComboBox* m_repeats;
  TraceView* m_view;
  QLabel* m_words;
  QLabel* m_message;
  NoteStrip* m_note;
  QStackedLayout* m_stack;
};

}  // namespace millrace
