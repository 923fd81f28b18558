// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/kept_pipeline_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/icons.h"
#include "widgets/compare/kept_canvas.h"

namespace millrace {

KeptPipelinePage::KeptPipelinePage(const Catalog& catalog, QWidget* parent)
    : QWidget(parent),
      m_canvas(new KeptCanvas(catalog)),
      m_title(new QLabel),
      m_subtitle(new QLabel),
      m_trace(new QPushButton("Trace")),
      m_restore(new QPushButton("Restore")),
      m_export(new QPushButton("Export…")) {
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(12, 8, 12, 8);
  bar->setSpacing(8);
  m_title->setFont(uiFont(13, true));
  m_title->setTextFormat(Qt::PlainText);
  bar->addWidget(m_title);
  m_subtitle->setTextFormat(Qt::PlainText);
  m_subtitle->setProperty("role", "second");
  m_subtitle->setMinimumWidth(20);
  bar->addWidget(m_subtitle, 1);
  m_trace->setObjectName("to_trace");
  m_trace->setToolTip("Show what every thread did in this run");
  m_trace->hide();
  connect(m_trace, &QPushButton::clicked, this, &KeptPipelinePage::traceRequested);
  bar->addWidget(m_trace);
  m_restore->setIcon(icon("reset"));
  m_restore->setObjectName("restore");
  m_restore->setToolTip("Open this pipeline as a new document");
  connect(m_restore, &QPushButton::clicked, this, &KeptPipelinePage::restoreRequested);
  bar->addWidget(m_restore);
  m_export->setIcon(icon("export"));
  m_export->setObjectName("export");
  m_export->setToolTip("Export as code for another loader, with the run's figures");
  connect(m_export, &QPushButton::clicked, this, &KeptPipelinePage::exportRequested);
  bar->addWidget(m_export);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(bar);
  column->addWidget(m_canvas, 1);
  setFocusProxy(m_canvas);
}

Status KeptPipelinePage::show(const std::string& json, const QString& title,
                              const QString& subtitle) {
  m_title->setText(title);
  m_subtitle->setText(subtitle);
  return m_canvas->show(json, title);
}

void KeptPipelinePage::show(const Graph& graph, const Catalog& catalog, const QString& title,
                            const QString& subtitle) {
  m_title->setText(title);
  m_subtitle->setText(subtitle);
  for (QPushButton* button : {m_restore, m_export}) button->hide();
  m_canvas->show(graph, catalog, title);
}

}  // namespace millrace
