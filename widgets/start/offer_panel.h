// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "widgets/models/preview_answer.h"
#include "widgets/start/start_offer.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace millrace {

class ChainStrip;

/// What has been chosen at the start, what will happen at Run, and Run. GUI thread.
class OfferPanel : public QFrame {
  Q_OBJECT
 public:
  explicit OfferPanel(QWidget* parent = nullptr);

  void show(const StartOffer& offer, const Catalog& catalog);
  /// "2 s warm-up, 5 s, 3 repeats".
  void setMeasureWords(const QString& words);
  /// What the engine made of an own folder; shipped examples have a card.
  void setSamples(const std::vector<ShownSample>& samples);
  /// While sample data is drawn: how far, and Stop in place of Run. Negative: nothing is drawn.
  void setProgress(double share, const QString& words);
  /// Why something did not work; empty: nothing.
  void say(const QString& sentence);
  /// The sample data that the offer asks for is there, or is to be drawn first.
  void setDrawn(bool drawn);

 signals:
  void runAsked();
  void openAsked();
  void stopAsked();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QLabel* m_kind;
  QLabel* m_title;
  ChainStrip* m_chain;
  QLabel* m_samplesLabel;
  QLabel* m_data;
  QLabel* m_words;
  QLabel* m_run;
  QFrame* m_note;
  QLabel* m_noteText;
  QProgressBar* m_bar;
  QLabel* m_barWords;
  QPushButton* m_runButton;
  QPushButton* m_openButton;
  QPushButton* m_stopButton;
  StartOffer m_offer;
  QString m_measure;
};

}  // namespace millrace
