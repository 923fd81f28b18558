// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QWidget>

#include "widgets/bridge/run_session.h"

class QLabel;
class QPushButton;
class QTabWidget;

namespace millrace {

class JobStrip;
class KeptCanvas;
class LiveLoader;
class NoteStrip;
class RunViews;
class TranslationView;

/// A user's loader: its steps as a graph with the figures of its run, what limits it, and what a
/// translation made of it. The page measures and edits nothing; it emits requests. GUI thread.
class LoaderPage : public QWidget {
  Q_OBJECT
 public:
  /// `loader` must outlive the page.
  explicit LoaderPage(const LiveLoader& loader, QWidget* parent = nullptr);
  ~LoaderPage() override;

  /// The loader has changed.
  void refresh();
  /// A stop was requested.
  void showStopping();
  /// Another measurement began.
  void forget();
  /// Why nothing can be measured or translated now; empty if it can.
  void setObstacle(const QString& why);
  void say(const QString& words);
  void warn(const QString& words);
  void showTranslating(bool translating);
  /// `result`: what `millrace import` printed; empty: nothing has been translated.
  void showTranslation(const QJsonObject& result);

  KeptCanvas& canvas() { return *m_canvas; }
  TranslationView& translation() { return *m_translation; }

 signals:
  void measureRequested();
  void stopRequested();
  void translateRequested();
  /// The user asks for the translated pipeline.
  void pipelineRequested();

 private:
  QWidget* buildBody();
  QWidget* buildWords();
  QWidget* buildTabs();
  void buildButtons();
  void showGraph();
  void showWords();
  void refreshButtons();

  const LiveLoader& m_loader;
  RunSession m_none;  ///< the views follow no running pipeline
  RunViews* m_views;
  JobStrip* m_strip;
  NoteStrip* m_trouble;
  NoteStrip* m_note;
  KeptCanvas* m_canvas;
  QLabel* m_words;
  QTabWidget* m_tabs;
  TranslationView* m_translation;
  QPushButton* m_measure;
  QPushButton* m_translate;
  QPushButton* m_show;
  QString m_obstacle;
  bool m_translating = false;
};

}  // namespace millrace
