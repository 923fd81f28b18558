// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QScrollArea>

#include "widgets/bridge/folder_scan.h"
#include "widgets/bridge/sample_job.h"
#include "widgets/start/offer_pictures.h"
#include "widgets/start/start_offer.h"

class QBoxLayout;
class QCheckBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace millrace {

class FolderDrop;
class OfferCard;
class OfferPanel;

/// The page shown while no document is open, or when asked for: the shipped examples with pictures
/// made by the engine, the user's own folder, recent files. Two clicks lead to a run. The page
/// itself opens and runs nothing. GUI thread.
class StartPage : public QScrollArea {
  Q_OBJECT
 public:
  /// `catalog` must outlive the page.
  explicit StartPage(const Catalog& catalog, QWidget* parent = nullptr);

  void setRecent(const QStringList& files);
  void setMeasureText(const QString& words);
  void setMachineText(const QString& words);
  void setShownAtStart(bool shown);
  /// Sets another program than engineProgram(), for pictures and sample data.
  void setProgram(const QString& program);

  /// Scans a folder and offers a pipeline for it, or says why not.
  void offerFolder(const QString& folder);
  const StartOffer& chosen() const { return m_chosen; }
  const std::vector<OfferCard*>& cards() const { return m_cards; }
  OfferPanel& panel() { return *m_panel; }
  FolderDrop& drop() { return *m_drop; }
  /// Whether the shown content is still going to change.
  bool isAtWork() const;
  /// Generates the sample data that the chosen offer lacks, and requests its run.
  void run();

 signals:
  /// The user wants to choose a folder for `offerFolder`.
  void chooseFolderRequested();
  /// The folder is no data set, but some lie below it.
  void severalFound(const QString& folder, const millrace::FolderContent& content);
  /// Emitted when the offer's sample data exists.
  void runRequested(const millrace::StartOffer& offer);
  void openRequested(const millrace::StartOffer& offer);
  /// Asks to open the offer and to examine its data.
  void examineRequested(const millrace::StartOffer& offer);
  void newRequested();
  void openFileRequested();
  void importRequested();
  void fileRequested(const QString& file);
  void shownAtStartChanged(bool shown);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QLayout* buildHead();
  QLayout* buildLeft();
  QLayout* buildRight();
  void buildFoot();
  void placeCards();
  void placeFoot();
  void choose(const StartOffer& offer);
  void showRun();
  void askPictures();
  void showPictures(const StartOffer& offer, const std::vector<ShownSample>& samples,
                    const QString& failure);
  void takeFolder(const QString& folder, const FolderContent& content);

  const Catalog& m_catalog;
  std::vector<OfferCard*> m_cards;
  QGridLayout* m_grid;
  QBoxLayout* m_columns;
  QBoxLayout* m_recent;
  QPushButton* m_headRun;  ///< shown where the description of the offer is out of sight
  QWidget* m_right;
  QBoxLayout* m_rightColumn;
  FolderDrop* m_drop;
  OfferPanel* m_panel;
  QLabel* m_machine;
  QCheckBox* m_atStart;
  QWidget* m_foot;
  QGridLayout* m_footRows = nullptr;
  StartOffer m_chosen;
  SampleJob m_samples;
  FolderScan m_scan;
  OfferPictures m_pictures;
};

}  // namespace millrace
