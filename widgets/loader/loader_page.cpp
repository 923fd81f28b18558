// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/loader/loader_page.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include "widgets/canvas/editor/edit_session.h"
#include "widgets/charts/advice_panel.h"
#include "widgets/charts/node_time_panel.h"
#include "widgets/charts/run_strip.h"
#include "widgets/charts/run_view.h"
#include "widgets/charts/run_views.h"
#include "widgets/common/icons.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/strings.h"
#include "widgets/compare/kept_canvas.h"
#include "widgets/loader/live_loader.h"
#include "widgets/loader/loader_graph.h"
#include "widgets/loader/translation_view.h"
#include "widgets/sweep/job_strip.h"

namespace millrace {

namespace {

/// The views of a run that a loader's figures fill.
const QStringList kShown = {"nodeTime", "throughput", "memory", "coresUsed", "cores"};

QString section(const QString& title, const QString& words) {
  if (words.isEmpty()) return {};
  QString text = richText(words);
  return QString("<p><b>%1</b><br>%2</p>").arg(title, text.replace('\n', "<br>"));
}

QString upper(QString words) {
  if (!words.isEmpty()) words[0] = words[0].toUpper();
  return words;
}

}  // namespace

LoaderPage::LoaderPage(const LiveLoader& loader, QWidget* parent)
    : QWidget(parent),
      m_loader(loader),
      m_views(new RunViews(m_none, {}, this)),
      m_strip(new JobStrip("Progress of the measurement")),
      m_trouble(new NoteStrip("error")),
      m_note(new NoteStrip("info")),
      m_canvas(new KeptCanvas(loaderCatalog())),
      m_words(new QLabel),
      m_tabs(new QTabWidget),
      m_translation(new TranslationView),
      m_measure(namedButton("loader_measure", "Measure again", "play")),
      m_translate(namedButton("loader_translate", "Translate", "arrange")),
      m_show(m_note->addButton("Show the pipeline")) {
  setObjectName("loader_page");
  m_canvas->setAccessibleName("Steps of the loader");
  m_show->setObjectName("loader_show");
  buildButtons();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_strip);
  column->addWidget(m_trouble);
  column->addWidget(m_note);
  auto* parts = new QSplitter(Qt::Vertical);
  parts->addWidget(buildBody());
  parts->addWidget(buildTabs());
  parts->setSizes({520, 280});
  parts->setChildrenCollapsible(false);
  column->addWidget(parts, 1);
  setFocusProxy(m_canvas);
  refresh();
}

LoaderPage::~LoaderPage() { m_views->show(nullptr); }

void LoaderPage::buildButtons() {
  m_strip->addButton(m_measure);
  m_strip->addButton(m_translate);
  m_translate->setProperty("primary", true);
  m_translate->setIcon(icon("arrange", Tone::AccentText));
  connect(m_strip, &JobStrip::stopRequested, this, &LoaderPage::stopRequested);
  connect(m_measure, &QPushButton::clicked, this, &LoaderPage::measureRequested);
  connect(m_translate, &QPushButton::clicked, this, &LoaderPage::translateRequested);
  connect(m_show, &QPushButton::clicked, this, &LoaderPage::pipelineRequested);
}

QWidget* LoaderPage::buildWords() {
  m_words->setObjectName("loader_words");
  m_words->setWordWrap(true);
  m_words->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_words->setTextFormat(Qt::RichText);
  m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_words->setContentsMargins(14, 6, 14, 6);
  auto* area = new QScrollArea;
  area->setWidget(m_words);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return area;
}

QWidget* LoaderPage::buildBody() {
  auto* body = new QSplitter(Qt::Horizontal);
  body->addWidget(m_canvas);
  body->addWidget(buildWords());
  body->setSizes({900, 340});
  body->setStretchFactor(0, 1);
  body->setChildrenCollapsible(false);
  return body;
}

/// Views of which a loader has no figures are made with the others, and stay hidden.
QWidget* LoaderPage::buildTabs() {
  m_tabs->setDocumentMode(true);
  for (const RunViews::Dock& entry : m_views->docks()) {
    entry.view->setParent(this);
    entry.view->hide();
    if (auto* times = qobject_cast<NodeTimePanel*>(entry.view))
      times->setWorkers("process", "processes");
  }
  m_views->strip().setParent(this);
  m_views->strip().hide();
  for (const QString& name : kShown)
    for (const RunViews::Dock& entry : m_views->docks())
      if (entry.name == name)
        m_tabs->addTab(entry.view, name == kShown.front() ? "Time by step, ms" : entry.title);
  m_tabs->addTab(m_translation, "Translation");
  m_tabs->setTabVisible(m_tabs->indexOf(m_translation), false);
  return m_tabs;
}

void LoaderPage::forget() {
  m_views->show(nullptr);
  m_canvas->clear();
  m_trouble->say({});
}

void LoaderPage::refresh() {
  showGraph();
  m_views->show(&m_loader.run());
  m_views->refresh();
  showWords();
  refreshButtons();
}

void LoaderPage::showGraph() {
  if (m_loader.graph().nodes.empty()) return;
  if (m_canvas->scene() == nullptr)
    m_canvas->show(m_loader.graph(), loaderCatalog(), m_loader.name());
  m_canvas->showRun(m_loader.overlay());
}

void LoaderPage::showWords() {
  const LiveRun& run = m_loader.run();
  m_strip->setTitle(m_loader.name());
  if (m_translating) {
    m_strip->showProgress(0, 0, std::nullopt);
    m_strip->setWords("Translating it, and comparing the samples");
  } else if (m_loader.isGoing()) {
    m_strip->showProgress(0, 0, run.secondsLeft());
    m_strip->setWords(run.state() == LiveRun::State::Preparing
                          ? QString("Importing the file and waiting for the first batch")
                          : run.phaseText());
  } else {
    m_strip->showIdle();
    m_strip->setWords(run.isOver() ? run.label() + ", " + run.phaseText() : QString());
  }
  m_trouble->say(run.end() ? run.end()->sentence : QString());
  QString text;
  if (const auto rate = run.rate())
    text += QString("<p style=\"font-size:20px\"><b>%1</b> samples/s</p>").arg(shownRate(*rate));
  text +=
      section(run.isOver() ? "What limits it" : "What limits it so far", upper(m_loader.limit()));
  text += section("What to change",
                  m_loader.advice().contains('=') ? m_loader.advice() : upper(m_loader.advice()));
  text += section("The loader", m_loader.about());
  text += section("A batch", m_loader.batch());
  text += section("Also", m_loader.notes().join('\n'));
  m_words->setText(text);
}

void LoaderPage::showStopping() { m_strip->showStopping("Stopping"); }

void LoaderPage::setObstacle(const QString& why) {
  m_obstacle = why;
  refreshButtons();
}

void LoaderPage::refreshButtons() {
  const bool idle = !m_loader.isGoing() && !m_translating && !m_loader.name().isEmpty();
  for (QPushButton* button : {m_measure, m_translate}) {
    button->setEnabled(idle && m_obstacle.isEmpty());
    button->setToolTip(idle ? m_obstacle : QString());
  }
  m_translate->setText(m_translating ? "Translating…" : "Translate");
}

void LoaderPage::say(const QString& words) { m_note->say(words); }

void LoaderPage::warn(const QString& words) { m_trouble->say(words); }

void LoaderPage::showTranslating(bool translating) {
  m_translating = translating;
  refresh();
}

void LoaderPage::showTranslation(const QJsonObject& result) {
  m_translation->show(result);
  m_tabs->setTabVisible(m_tabs->indexOf(m_translation), !result.isEmpty());
  if (!result.isEmpty()) m_tabs->setCurrentWidget(m_translation);
}

}  // namespace millrace
