// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/field_grid.h"

#include <utility>

#include <QDialog>
#include <QGridLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/inspector/field_row.h"

namespace millrace {

namespace {

ParamSpec asked(const char* name, const char* label, const char* help, ParamType type) {
  ParamSpec spec;
  spec.name = name;
  spec.label = label;
  spec.help = help;
  spec.type = type;
  return spec;
}

}  // namespace

ParamSpec numberSpec(const char* name, const char* label, const char* help, const char* unit,
                     ParamType type, double usual, double least, double most) {
  ParamSpec spec = asked(name, label, help, type);
  spec.unit = unit;
  spec.minimum = least;
  spec.maximum = most;
  if (type == ParamType::Integer)
    spec.defaultValue = static_cast<std::int64_t>(usual);
  else
    spec.defaultValue = usual;
  return spec;
}

ParamSpec choiceSpec(const char* name, const char* label, const char* help,
                     std::vector<std::string> choices) {
  ParamSpec spec = asked(name, label, help, ParamType::Choice);
  spec.defaultValue = choices.front();
  spec.choices = std::move(choices);
  return spec;
}

ParamSpec flagSpec(const char* name, const char* label, const char* help) {
  ParamSpec spec = asked(name, label, help, ParamType::Boolean);
  spec.defaultValue = false;
  return spec;
}

ParamSpec textSpec(const char* name, const char* label, const char* help) {
  ParamSpec spec = asked(name, label, help, ParamType::Text);
  spec.defaultValue = std::string();
  spec.optional = true;
  return spec;
}

FieldGrid::FieldGrid(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
  m_grid->setContentsMargins(0, 0, 0, 0);
  m_grid->setHorizontalSpacing(16);
  // Equally wide, so that both columns have room for units.
  for (const int column : {0, 1}) m_grid->setColumnStretch(column, 1);
}

FieldRow& FieldGrid::add(const ParamSpec& spec, const Value& value,
                         std::function<void(const Value&)> take) {
  auto* row = new FieldRow(spec);
  row->setObjectName("field_" + toQt(spec.name));
  row->show(value);
  const auto place = static_cast<int>(m_fields.size());
  m_grid->addWidget(row, place / 2, place % 2, Qt::AlignTop);
  m_fields.push_back(row);
  connect(row, &FieldRow::edited, this, [this, row, take = std::move(take)](const Value& edited) {
    take(edited);
    row->show(edited);
    emit changed();
  });
  return *row;
}

void layOutDialog(QDialog& dialog, QWidget* content, QWidget* problem, QWidget* words,
                  QPushButton* copy, QPushButton* start) {
  auto* scroll = new QScrollArea;
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);  // It scrolls to the field that gets the focus.
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* all = new QVBoxLayout(&dialog);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(scroll, 1);
  auto* foot = new QVBoxLayout;
  foot->setContentsMargins(16, 4, 16, 12);
  foot->addWidget(problem);
  foot->addWidget(words);
  auto* buttons = new QHBoxLayout;
  auto* close = new QPushButton("Close");
  QObject::connect(close, &QPushButton::clicked, &dialog, &QDialog::reject);
  start->setProperty("primary", true);
  start->setDefault(true);
  start->setIcon(icon("play", Tone::AccentText));
  buttons->addWidget(copy);
  buttons->addStretch(1);
  buttons->addWidget(close);
  buttons->addWidget(start);
  foot->addLayout(buttons);
  all->addLayout(foot);
}

}  // namespace millrace
