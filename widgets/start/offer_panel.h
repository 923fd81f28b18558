// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "widgets/models/shown_sample.h"
#include "widgets/start/start_offer.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace millrace {

class ChainStrip;

/// The chosen offer, what Run will do, and the Run button. GUI thread.
class OfferPanel : public QFrame {
  Q_OBJECT
 public:
  explicit OfferPanel(QWidget* parent = nullptr);

  void show(const StartOffer& offer, const Catalog& catalog);
  /// "2 s warm-up, 5 s, 3 repeats".
  void setMeasureText(const QString& words);
  /// Samples that the engine made from the user's folder; for shipped examples the card shows them.
  void setSamples(const std::vector<ShownSample>& samples);
  /// The progress of generating sample data, with Stop in place of Run. Negative: none is
  /// generated. `done`: "210 of 600, 3 s left", or empty.
  void setProgress(double share, const QString& done);
  /// Shows why something failed; empty hides it.
  void say(const QString& sentence);
  /// Whether the offer's sample data exists; otherwise it is generated first.
  void setDrawn(bool drawn);

 signals:
  void runRequested();
  void openRequested();
  /// Asks to examine the data of the user's folder.
  void examineRequested();
  void stopRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void addButtons(QVBoxLayout& column);

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
  QPushButton* m_runButton;
  QPushButton* m_openButton;
  QPushButton* m_examineButton;
  QPushButton* m_stopButton;
  StartOffer m_offer;
  QString m_measure;
};

}  // namespace millrace
