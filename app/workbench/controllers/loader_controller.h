// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "app/workbench/controllers/search_controller.h"
#include "widgets/bridge/loader_import.h"
#include "widgets/loader/live_loader.h"

namespace millrace {

class LoaderDialog;
class LoaderPage;

/// A user's own loader in the main window: it is measured unchanged, and translated into a
/// pipeline. GUI thread.
class LoaderController : public SearchController {
  Q_OBJECT
 public:
  /// What the window does for the controller.
  struct Hooks {
    std::function<MeasureChoice()> measure;
    /// Opens a pipeline's file in a new page, as one undo step of this name on an empty pipeline,
    /// and does not show it. `take` gets the page later.
    std::function<void(const QString& file, const QString& step,
                       std::function<void(PipelinePage*)> take)>
        openAsStep;
  };

  LoaderController(const Place& place, Hooks hooks);
  ~LoaderController() override;

  void fillMenu(QMenu& menu) override;
  void fillFileMenu(QMenu& menu);
  /// Asks which loader. `file`: empty, the user chooses it.
  void ask(const QString& file);
  /// Measures a loader and shows it.
  void open(const ChosenLoader& loader);
  /// The same of "train.py:loader", with the interpreter that the dialog would offer.
  void openWord(const QString& word);
  /// Writes the loader in the tab as a pipeline next to its file, and compares the samples.
  void translate();
  void setStore(const std::filesystem::path& file) { m_store = file; }

  /// Whether the loader is being measured or translated.
  bool isBusy() const { return isRunning() || m_translating; }
  /// Whether `openWord` is still looking for the interpreter.
  bool isOpening() const { return m_opening; }
  const LiveLoader& loader() const { return m_live; }
  LoaderPage& page() { return *m_page; }
  LoaderDialog* dialog() const;
  void refresh() override;

 protected:
  QWidget& view() override;
  QWidget& plot() override;
  void takeEvent(const StreamEvent& event) override { m_live.take(event); }
  void takeEnd(const ChildEnd& end) override;
  void showNewsInView(bool stopping) override;
  void say(const QString& sentence) override;
  void setObstacles(const QString& begin, const QString& take) override;
  QString goingText() const override { return "Measuring " + m_live.name(); }
  /// It concerns no page.
  QString obstacleOf(PipelinePage*) const override { return {}; }

 private:
  void measure();
  void stopAll();
  void startImport(const QString& output);
  void takeImport(const QJsonObject& result, const QString& refusal);
  void setTranslating(bool translating);
  void openPipeline(const QString& words);
  void showPipeline();

  const Hooks m_hooks;
  std::filesystem::path m_store;
  ChosenLoader m_chosen;
  LiveLoader m_live;
  LoaderImport m_import;
  QString m_output;  ///< the pipeline's file that is written
  bool m_translating = false;
  bool m_opening = false;
  LoaderPage* m_page;  ///< has no parent until it is a tab
  QAction* m_translate;
  QPointer<LoaderDialog> m_dialog;
};

}  // namespace millrace
