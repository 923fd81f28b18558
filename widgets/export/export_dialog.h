// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include <QDialog>
#include <QTimer>

#include "widgets/export/export_work.h"

class QCheckBox;
class QFrame;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace millrace {

class CodeView;
class IconMark;
class TargetList;

/// A pipeline as code for every target. What a target cannot do is listed above its code. The code
/// can be copied, saved, or written with the command line shown. Targets come only from core's
/// registry. GUI thread.
class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  explicit ExportDialog(ExportSource source, QWidget* parent = nullptr);

  /// Whether the latest request is shown.
  bool isReady() const { return m_ready; }
  TargetList& targets() { return *m_list; }
  QCheckBox& noRandom() { return *m_noRandom; }
  QCheckBox& training() { return *m_training; }
  /// The text in the code view, which copying and saving use; empty if no code can be generated.
  std::string text() const;
  /// Sentences above the code.
  QString cautions() const;
  QString command() const;
  /// The result of the last copying or saving.
  QString message() const;

  /// Writes the chosen target, whole or not at all, outside the GUI thread. Asks first if the file
  /// exists. Then `saveEnded` is emitted and `message` holds the outcome, unless the dialog was
  /// closed meanwhile.
  void saveTo(const QString& file);
  /// Replaces the message box.
  void setQuestion(std::function<bool(const QString& question)> ask) { m_ask = std::move(ask); }

 signals:
  void ready();
  void saveEnded(bool written);

 private:
  QWidget* buildLeft();
  QWidget* buildRight();
  QWidget* buildCard();
  QWidget* buildHead();
  ExportOptions options() const;
  void work();
  void showTarget();
  void showCard(const ExportedTarget& target);
  void chooseFile();
  void write(const QString& file, const std::string& code, bool isThere);
  void endSaving(const QString& message, bool written);
  void say(const QString& message, bool good);
  const ExportedTarget* chosen() const;
  QString fileName() const;

  ExportSource m_source;
  ExportWork m_work;
  std::shared_ptr<const ExportedTargets> m_targets;
  bool m_ready = false;
  bool m_isSaving = false;
  QTimer m_moment;  ///< until the dialog says that it is waiting for a file
  std::function<bool(const QString&)> m_ask;
  TargetList* m_list;
  CodeView* m_code;
  QCheckBox* m_noRandom;
  QCheckBox* m_figures;
  QCheckBox* m_training;
  QFrame* m_card;
  IconMark* m_cardIcon;
  QLabel* m_cardTitle;
  QLabel* m_cardText;
  QLabel* m_head;
  QPlainTextEdit* m_command;
  QLabel* m_caveat;
  IconMark* m_messageIcon;
  QLabel* m_message;
  QPushButton* m_copy;
  QPushButton* m_save;
};

}  // namespace millrace
