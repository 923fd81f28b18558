// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include <QTimer>
#include <QWidget>

#include "widgets/bridge/preview_session.h"

class QBoxLayout;
class QComboBox;
class QLabel;
class QScrollArea;
class QSlider;
class QToolButton;

namespace millrace {

struct EditSession;
class CloserView;
class PreviewNote;
class PreviewSeed;
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
  ThumbnailView& thumbnails() { return *m_view; }
  CloserView* closer() const { return m_closerView; }
  /// Whether the shown content is still going to change.
  bool isAtWork() const;
  enum class Length : std::uint8_t { Short, Full };
  /// "1–16 of 600". With samples of the next epoch "33–40 of 40, then 8 of the next epoch", or
  /// "33–40 of 40 + 8" where there is little room.
  QString rangeText(Length length = Length::Full) const;
  QString factsText() const;

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QLayout* buildHead();
  void buildSteps(QBoxLayout& row);
  void soon() {
    if (!m_gather.isActive()) m_gather.start();
  }
  void ask();
  PreviewRequest requestNow() const;
  void step(int by);
  void showNodes();
  void showSamples();
  void showFacts();
  void showNote();
  QString sentenceToShow() const;
  void openCloser(int row);
  void askCloser();
  NodeId nodeBefore(const QString& node) const;
  QString titleOfNode(const QString& id) const;
  std::vector<ShownSample> samplesOfOneSetting() const;

  static constexpr int kCount = 16;
  static constexpr int kCloserSide = 1024;

  EditSession* m_edit = nullptr;
  PreviewSession m_preview;
  ThumbnailModel* m_model;
  ThumbnailView* m_view;
  CloserView* m_closerView = nullptr;
  QTimer m_gather;  ///< edits within this time cause one request
  quint64 m_first = 0;
  std::vector<QMetaObject::Connection> m_connections;

  QLabel* m_after;
  QComboBox* m_nodes;
  PreviewSeed* m_seed;
  QToolButton* m_maskButton = nullptr;
  QToolButton* m_previous = nullptr;
  QToolButton* m_next = nullptr;
  QSlider* m_size;
  QLabel* m_range;
  PreviewNote* m_note;
  QLabel* m_facts;
  QScrollArea* m_factsArea;
};

}  // namespace millrace
