// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/start_page.h"

#include <algorithm>

#include <QCheckBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include "core/open/sample_needs.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/start/folder_drop.h"
#include "widgets/start/offer_card.h"
#include "widgets/start/offer_panel.h"

namespace millrace {

namespace {

constexpr int kRightWidth = 412;
constexpr int kCardWidth = 190;
constexpr int kSpacing = 16;
constexpr int kMargin = 24;
constexpr int kMostAcross = 4;
constexpr int kRecentShown = 4;
/// Below this width the columns are placed above each other.
constexpr int kRoomForTwo = 900;
/// Below this height, Run is only visible without scrolling if it comes first.
constexpr int kRoomForDropFirst = 760;

/// The name of a file, shortened to the width that is left. Its own width does not depend on it.
class RecentLink final : public QPushButton {
 public:
  explicit RecentLink(const QString& name) : m_name(name) {
    setProperty("link", true);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setMinimumWidth(kLeastName);
    setAccessibleName(name);
    setText(name);
  }
  QSize sizeHint() const override {
    const int words = fontMetrics().horizontalAdvance(m_name);
    return {std::min(words + kAround, kMostName), QPushButton::sizeHint().height()};
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QPushButton::resizeEvent(event);
    setText(fontMetrics().elidedText(m_name, Qt::ElideMiddle, width() - kAround));
  }

 private:
  static constexpr int kLeastName = 48;
  static constexpr int kMostName = 200;
  static constexpr int kAround = 16;
  QString m_name;
};

class Mill final : public QWidget {
 public:
  Mill() { setFixedSize(44, 44); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    paintIcon(painter, "mill", rect(), theme()[Tone::Accent]);
  }
};

}  // namespace

StartPage::StartPage(const Catalog& catalog, QWidget* parent)
    : QScrollArea(parent),
      m_catalog(catalog),
      m_grid(new QGridLayout),
      m_recent(new QHBoxLayout),
      m_headRun(new QPushButton(icon("play", Tone::AccentText), "Run")),
      m_right(new QWidget),
      m_drop(new FolderDrop),
      m_panel(new OfferPanel),
      m_machine(new QLabel),
      m_atStart(new QCheckBox("Show this page at startup if no file is reopened", this)),
      m_foot(new QWidget(this)),
      m_pictures(catalog) {
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  auto* body = new QWidget;
  m_columns = new QHBoxLayout(body);
  m_columns->setContentsMargins(kMargin, 26, kMargin, 20);
  m_columns->setSpacing(2 * kSpacing);
  m_columns->addLayout(buildLeft(), 1);
  m_right->setLayout(buildRight());
  m_columns->addWidget(m_right);
  setWidget(body);
  buildFoot();
  connect(&m_samples, &SampleJob::progressed, this,
          [this] { m_panel->setProgress(m_samples.share(), m_samples.doneText()); });
  connect(&m_samples, &SampleJob::ended, this, [this](SampleJob::End end, const QString& why) {
    m_panel->setProgress(-1, {});
    m_panel->setDrawn(missingSamples(m_chosen.graph).empty());
    m_panel->say(why);
    askPictures();
    if (end == SampleJob::End::Made) run();
  });
  connect(&m_scan, &FolderScan::found, this, &StartPage::takeFolder);
  connect(&m_pictures, &OfferPictures::made, this, &StartPage::showPictures);
  setFocusProxy(m_cards.front());
  m_cards.front()->setChecked(true);
  choose(m_cards.front()->offer());
}

QLayout* StartPage::buildHead() {
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  row->addWidget(new Mill);
  auto* words = new QVBoxLayout;
  words->setSpacing(0);
  auto* title = new QLabel("Pick an example, then press Run");
  title->setFont(uiFont(22, true));
  words->addWidget(title);
  auto* second = new QLabel(
      "Each example comes with its own data. You can change anything afterwards and undo every "
      "edit.");
  second->setProperty("role", "second");
  second->setWordWrap(true);
  words->addWidget(second);
  row->addLayout(words, 1);
  m_headRun->setProperty("primary", true);
  m_headRun->setObjectName("start_head_run");
  connect(m_headRun, &QPushButton::clicked, this, &StartPage::run);
  row->addWidget(m_headRun);
  return row;
}

QLayout* StartPage::buildLeft() {
  auto* column = new QVBoxLayout;
  column->setSpacing(16);
  column->addLayout(buildHead());
  for (const StartOffer& offer : shippedOffers(m_catalog)) {
    auto* card = new OfferCard(offer, this);
    m_cards.push_back(card);
    connect(card, &QAbstractButton::clicked, this, [this, card] {
      m_drop->say({}, false);
      choose(card->offer());
    });
    connect(card, &OfferCard::opened, this, [this, card] { emit openRequested(card->offer()); });
  }
  m_grid->setSpacing(kSpacing);
  column->addLayout(m_grid);
  column->addStretch(1);
  return column;
}

/// Below what is scrolled, so that it is always in view.
void StartPage::buildFoot() {
  m_foot->setObjectName("startFoot");
  m_foot->setAttribute(Qt::WA_StyledBackground);
  m_footRows = new QGridLayout(m_foot);
  m_footRows->setContentsMargins(kMargin, 10, kMargin, 10);
  m_footRows->setHorizontalSpacing(kSpacing);
  m_footRows->setColumnStretch(0, 1);
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  auto* fresh = new QPushButton(icon("newf"), "New, empty pipeline");
  fresh->setObjectName("start_new");
  auto* file = new QPushButton(icon("open"), "Open a file");
  auto* loader = new QPushButton(icon("loader"), "Open a Python loader");
  loader->setObjectName("start_import");
  connect(loader, &QPushButton::clicked, this, &StartPage::importRequested);
  connect(fresh, &QPushButton::clicked, this, &StartPage::newRequested);
  connect(file, &QPushButton::clicked, this, &StartPage::openFileRequested);
  m_atStart->setObjectName("start_at_start");
  connect(m_atStart, &QCheckBox::toggled, this, &StartPage::shownAtStartChanged);
  row->addWidget(fresh);
  row->addWidget(file);
  row->addWidget(loader);
  row->addStretch(1);
  m_footRows->addLayout(row, 0, 0);
  m_recent->setSpacing(4);
  m_footRows->addLayout(m_recent, 1, 0, 1, 2);
}

void StartPage::placeFoot() {
  // On the first line if there is room.
  const bool two = width() >= kRoomForTwo;
  m_footRows->addWidget(m_atStart, two ? 0 : 2, two ? 1 : 0);
  m_footRows->activate();
  const int height = m_foot->sizeHint().height();
  setViewportMargins(0, 0, 0, height);
  m_foot->setGeometry(0, this->height() - height, width(), height);
}

QLayout* StartPage::buildRight() {
  auto* column = new QVBoxLayout;
  m_rightColumn = column;
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kSpacing);
  column->addWidget(m_drop);
  column->addWidget(m_panel);
  m_machine->setProperty("role", "second");
  m_machine->setWordWrap(true);
  column->addWidget(m_machine);
  // The cards next to it may take many rows; Run must stay close to the description.
  column->addStretch(1);
  connect(m_drop, &FolderDrop::chooseRequested, this, &StartPage::chooseFolderRequested);
  connect(m_panel, &OfferPanel::runRequested, this, &StartPage::run);
  connect(m_panel, &OfferPanel::openRequested, this, [this] { emit openRequested(m_chosen); });
  connect(m_panel, &OfferPanel::examineRequested, this,
          [this] { emit examineRequested(m_chosen); });
  connect(m_panel, &OfferPanel::stopRequested, &m_samples, &SampleJob::stop);
  return column;
}

void StartPage::setRecent(const QStringList& files) {
  while (QLayoutItem* item = m_recent->takeAt(0)) {
    if (item->widget() != nullptr) item->widget()->deleteLater();
    delete item;
  }
  if (files.isEmpty()) return placeFoot();
  m_recent->addWidget(new QLabel("Recent:"));
  for (const QString& file : files.mid(0, kRecentShown)) {
    auto* link = new RecentLink(QFileInfo(file).fileName());
    link->setToolTip(file);
    connect(link, &QPushButton::clicked, this, [this, file] { emit fileRequested(file); });
    m_recent->addWidget(link);
  }
  m_recent->addStretch(1);
  placeFoot();
}

void StartPage::setMeasureText(const QString& words) { m_panel->setMeasureText(words); }
void StartPage::setMachineText(const QString& words) { m_machine->setText(words); }
void StartPage::setShownAtStart(bool shown) { m_atStart->setChecked(shown); }

void StartPage::setProgram(const QString& program) {
  m_samples.setProgram(program);
  m_pictures.setProgram(program);
}

bool StartPage::isAtWork() const {
  return m_samples.isAtWork() || m_scan.isAtWork() || m_pictures.isAtWork();
}

void StartPage::choose(const StartOffer& offer) {
  m_chosen = offer;
  m_panel->show(offer, m_catalog);
  m_panel->setDrawn(missingSamples(offer.graph).empty());
}

/// The samples of the user's folder push Run down.
void StartPage::showRun() {
  QTimer::singleShot(0, m_panel, [this] { ensureWidgetVisible(m_panel, 0, 0); });
}

void StartPage::run() {
  if (m_samples.isAtWork()) return;
  QStringList missing;
  for (const std::string& name : missingSamples(m_chosen.graph)) missing << toQt(name);
  if (missing.isEmpty())
    emit runRequested(m_chosen);
  else
    m_samples.start(missing);
}

void StartPage::offerFolder(const QString& folder) {
  m_drop->say(QString("Reading %1.").arg(folder), false);
  m_scan.scan(folder);
}

void StartPage::takeFolder(const QString& folder, const FolderContent& content) {
  const auto offer = ownOffer(folder, content, m_catalog);
  if (!offer) {
    m_drop->say(toQt(offer.error().message), true);
    if (!content.below.empty()) emit severalFound(folder, content);
    return;
  }
  m_drop->say({}, false);
  for (OfferCard* card : m_cards) {
    card->setAutoExclusive(false);
    card->setChecked(false);
    card->setAutoExclusive(true);
  }
  choose(*offer);
  showRun();
  askPictures();
}

void StartPage::askPictures() {
  if (!isVisible()) return;
  if (m_chosen.isOwn) m_pictures.ask(m_chosen);
  for (const OfferCard* card : m_cards)
    if (card->samples().empty()) m_pictures.ask(card->offer());
}

void StartPage::showPictures(const StartOffer& offer, const std::vector<ShownSample>& samples,
                             const QString& failure) {
  if (offer.isOwn) {
    if (!m_chosen.isOwn || m_chosen.name != offer.name) return;
    if (!failure.isEmpty()) m_panel->say(failure);
    m_panel->setSamples(samples);
    showRun();
    return;
  }
  for (OfferCard* card : m_cards)
    if (card->offer().name == offer.name) card->setSamples(samples);
}

void StartPage::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  choose(m_chosen);
  askPictures();
}

void StartPage::hideEvent(QHideEvent* event) {
  QScrollArea::hideEvent(event);
  m_pictures.rest();
}

void StartPage::placeCards() {
  const bool two = width() >= kRoomForTwo;
  const int right = two ? std::min(kRightWidth, width() * 36 / 100) : 0;
  m_headRun->setVisible(!two);
  m_columns->setDirection(two ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  m_right->setMinimumWidth(right);
  m_right->setMaximumWidth(two ? right : QWIDGETSIZE_MAX);
  m_rightColumn->removeWidget(m_panel);
  m_rightColumn->insertWidget(height() < kRoomForDropFirst ? 0 : 1, m_panel);
  const int room = width() - 2 * kMargin - (two ? right + m_columns->spacing() : 0);
  const int across = std::clamp((room + kSpacing) / (kCardWidth + kSpacing), 1, kMostAcross);
  int i = 0;
  for (OfferCard* card : m_cards) {
    m_grid->addWidget(card, i / across, i % across);
    ++i;
  }
}

void StartPage::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  placeCards();
  placeFoot();
}

}  // namespace millrace
