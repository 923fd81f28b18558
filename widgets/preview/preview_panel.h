// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QTimer>
#include <QWidget>

#include "widgets/bridge/preview_session.h"
#include "widgets/bridge/sample_job.h"

class QBoxLayout;
class QComboBox;
class QFrame;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace millrace {

struct EditSession;
class CloserView;
class ThumbnailModel;
class ThumbnailView;

/// Samples after the selected node of the current document. GUI thread.
class PreviewPanel : public QWidget {
  Q_OBJECT
 public:
  explicit PreviewPanel(QWidget* parent = nullptr);
  ~PreviewPanel() override;

  /// nullptr: no document. The session must outlive being set here.
  void setSession(EditSession* session);
  /// During a run the preview pauses and leaves the machine to the run.
  void setRunning(bool running) { m_preview.setPaused(running); }
  PreviewSession& preview() { return m_preview; }
  SampleJob& samples() { return m_samples; }
  ThumbnailView& thumbnails() { return *m_view; }
  CloserView* closer() const { return m_closerView; }
  /// Whether the shown content is still going to change.
  bool isAtWork() const;
  /// "1–16 of 600".
  QString rangeText() const;
  QString factsText() const;

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QLayout* buildHead();
  void buildSeed(QBoxLayout& row);
  void buildSteps(QBoxLayout& row);
  void buildNote();
  QToolButton* headButton(QBoxLayout& row, const QString& name, const QString& iconName,
                          const QString& tip);
  void soon() {
    if (!m_gather.isActive()) m_gather.start();
  }
  void ask();
  void act();
  PreviewRequest requestNow() const;
  void setSeed(std::optional<quint64> seed);
  void step(int by);
  void showNodes();
  void showSeed();
  void showSamples();
  void showFacts();
  void showNote();
  QString sentenceToShow() const;
  void openCloser(int row);

  static constexpr int kCount = 16;
  static constexpr int kCloserSide = 1024;

  EditSession* m_edit = nullptr;
  PreviewSession m_preview;
  SampleJob m_samples;
  QStringList m_missing;  ///< sample data that the document needs and that does not exist
  QString m_missingText;
  ThumbnailModel* m_model;
  ThumbnailView* m_view;
  CloserView* m_closerView = nullptr;
  QTimer m_gather;  ///< edits within this time cause one request
  quint64 m_first = 0;
  std::optional<quint64> m_seed;  ///< nullopt: the document's seed
  std::vector<QMetaObject::Connection> m_connections;

  QLabel* m_after;
  QComboBox* m_nodes;
  QLabel* m_seedLabel;
  QLineEdit* m_seedLine;
  QToolButton* m_dice = nullptr;
  QToolButton* m_ownSeed = nullptr;
  QToolButton* m_maskButton = nullptr;
  QToolButton* m_previous = nullptr;
  QToolButton* m_next = nullptr;
  QLabel* m_range;
  QFrame* m_note;
  QLabel* m_noteText;
  QPushButton* m_retry;
  QLabel* m_facts;
  QScrollArea* m_factsArea;
};

}  // namespace millrace
