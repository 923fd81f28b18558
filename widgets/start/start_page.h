// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QScrollArea>

#include "widgets/bridge/folder_look.h"
#include "widgets/bridge/sample_job.h"
#include "widgets/start/offer_pictures.h"
#include "widgets/start/start_offer.h"

class QBoxLayout;
class QCheckBox;
class QGridLayout;
class QLabel;

namespace millrace {

class FolderDrop;
class OfferCard;
class OfferPanel;

/// What stands in the window while no document is open: the shipped examples with pictures that the
/// engine makes of them, the person's own folder, recent files. Two clicks lead to a run. It opens
/// and runs nothing itself. GUI thread.
class StartPage : public QScrollArea {
  Q_OBJECT
 public:
  /// `catalog` outlives the page.
  explicit StartPage(const Catalog& catalog, QWidget* parent = nullptr);

  void setRecent(const QStringList& files);
  void setMeasureWords(const QString& words);
  void setMachineWords(const QString& words);
  void setShownAtStart(bool shown);
  /// The engine in another place than engineProgram(), for pictures and sample data.
  void setProgram(const QString& program);

  /// Looks at a folder and offers what it finds, or says why not.
  void offerFolder(const QString& folder);
  const StartOffer& chosen() const { return m_chosen; }
  const std::vector<OfferCard*>& cards() const { return m_cards; }
  OfferPanel& panel() { return *m_panel; }
  FolderDrop& drop() { return *m_drop; }
  /// Whether what is shown is still to change by itself.
  bool isAtWork() const;

 signals:
  /// A person wants to name a folder of their own, for `offerFolder`.
  void chooseFolderAsked();
  /// Its sample data is there.
  void runAsked(const millrace::StartOffer& offer);
  void openAsked(const millrace::StartOffer& offer);
  void newAsked();
  void openFileAsked();
  void fileAsked(const QString& file);
  void shownAtStartChanged(bool shown);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QLayout* buildHead();
  QLayout* buildLeft();
  QLayout* buildRight();
  QLayout* buildFoot();
  void placeCards();
  void choose(const StartOffer& offer);
  void run();
  void askPictures();
  void showPictures(const StartOffer& offer, const std::vector<ShownSample>& samples,
                    const QString& failure);
  void takeFolder(const QString& folder, const FolderContent& content);

  const Catalog& m_catalog;
  std::vector<OfferCard*> m_cards;
  QGridLayout* m_grid;
  QBoxLayout* m_columns;
  QBoxLayout* m_recent;
  QWidget* m_right;
  QBoxLayout* m_rightColumn;
  FolderDrop* m_drop;
  OfferPanel* m_panel;
  QLabel* m_machine;
  QCheckBox* m_atStart;
  StartOffer m_chosen;
  SampleJob m_samples;
  FolderLook m_look;
  OfferPictures m_pictures;
};

}  // namespace millrace
