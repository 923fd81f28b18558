// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QStringList>

#include "widgets/bridge/sample_job.h"

class QLabel;
class QPushButton;

namespace millrace {

/// The strip above the samples: what the preview waits for or why it failed, with a button that
/// tries again, or that generates the sample data that the document needs. Hidden if there is
/// nothing to say. GUI thread.
class PreviewNote : public QFrame {
  Q_OBJECT
 public:
  explicit PreviewNote(QWidget* parent = nullptr);

  /// The kinds of sample data that the document needs and that do not exist.
  void setMissing(const QStringList& missing);
  /// Shows the preview's sentence, unless sample data is missing.
  void say(const QString& sentence, bool failed);

 signals:
  void retried();
  /// The generation of sample data has ended, in whichever way.
  void generated();

 private:
  void act();
  void refresh();

  QStringList m_missing;
  QString m_missingText;  ///< why generating failed
  QString m_sentence;
  bool m_failed = false;
  QLabel* m_text;
  QPushButton* m_button;
  SampleJob m_samples;  ///< destroyed first: nothing reaches the strip after that
};

}  // namespace millrace
