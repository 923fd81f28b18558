// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/sweep_axis_row.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/strings.h"
#include "widgets/sweep/sweep_grid.h"

namespace millrace {

namespace {

constexpr std::size_t kNamed = 8;  ///< values that are written out

QString valuesOf(const SweepAxis& axis) {
  QStringList named;
  const std::size_t count = axis.values.size();
  for (std::size_t i = 0; i < count; ++i)
    if (count <= kNamed || i + 3 < kNamed || i + 1 == count) named << shownSetting(axis.values[i]);
  QString text = named.join(", ");
  if (count > kNamed) text.replace(text.lastIndexOf(", "), 2, ", … ");
  return QString("%1 values: %2").arg(count).arg(text);
}

}  // namespace

SweepAxisRow::SweepAxisRow(SweepVariation variation, const ParamSpec& spec, const QString& title,
                           QWidget* parent)
    : QWidget(parent),
      m_variation(std::move(variation)),
      m_spec(spec),
      m_current(spec.defaultValue),
      m_line(new QLineEdit(toQt(m_variation.values))),
      m_fill(new QToolButton),
      m_proposals(new QMenu(this)),
      m_words(new QLabel),
      m_problem(new NoteStrip("error")) {
  build(title);
  connect(m_line, &QLineEdit::textChanged, this, &SweepAxisRow::edited);
  connect(m_proposals, &QMenu::aboutToShow, this, &SweepAxisRow::fillProposals);
}

void SweepAxisRow::build(const QString& title) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 4);
  grid->setHorizontalSpacing(6);
  grid->setVerticalSpacing(2);
  auto* label = new QLabel(title);
  label->setBuddy(m_line);
  label->setWordWrap(true);
  label->setFixedWidth(170);
  label->setToolTip("<b>" + toQt(m_variation.node + "." + m_variation.param).toHtmlEscaped() +
                    "</b><p>" + richSentence(m_spec.help) + "</p>");
  m_line->setAccessibleName("Values of " + title);
  m_line->setPlaceholderText(m_spec.type == ParamType::Integer || m_spec.type == ParamType::Real
                                 ? "1,2,4 or 1..16 or 16..256:x2"
                                 : "values, separated by commas");
  m_fill->setText("Suggest");
  m_fill->setPopupMode(QToolButton::InstantPopup);
  m_fill->setMenu(m_proposals);
  m_fill->setProperty("framed", true);
  m_fill->setToolTip("Fill in values around the present one");
  auto* remove = new QToolButton;
  remove->setIcon(icon("close", Tone::Text2));
  remove->setToolTip("Do not vary " + title);
  remove->setAccessibleName("Do not vary " + title);
  remove->setFixedSize(28, 28);
  connect(remove, &QToolButton::clicked, this, &SweepAxisRow::removeRequested);
  m_words->setProperty("role", "hint");
  m_words->setWordWrap(true);
  grid->addWidget(label, 0, 0);
  grid->addWidget(m_line, 0, 1);
  grid->addWidget(m_fill, 0, 2);
  grid->addWidget(remove, 0, 3);
  grid->addWidget(m_words, 1, 1, 1, 3);
  grid->addWidget(m_problem, 2, 0, 1, 4);
  grid->setColumnStretch(1, 1);
}

void SweepAxisRow::fillProposals() {
  m_proposals->clear();
  for (const ProposedValues& each : proposedValues(m_spec, m_current))
    m_proposals->addAction(each.name + ":  " + each.values, this,
                           [this, values = each.values] { m_line->setText(values); });
}

SweepVariation SweepAxisRow::variation() const {
  SweepVariation variation = m_variation;
  variation.values = fromQt(m_line->text());
  return variation;
}

void SweepAxisRow::setCurrent(const Value& current) {
  m_current = current;
  m_fill->setVisible(!proposedValues(m_spec, current).empty());
}

void SweepAxisRow::show(const QString& problem, const SweepAxis* axis) {
  m_problem->say(problem);
  QStringList parts;
  if (axis != nullptr) parts << valuesOf(*axis);
  if (const QString allowed = shownAllowed(m_spec); !allowed.isEmpty()) parts << allowed;
  parts << "now " + shownValue(m_spec, m_current);
  m_words->setText(parts.join("; "));
}

QString SweepAxisRow::problem() const { return m_problem->words(); }
QString SweepAxisRow::words() const { return m_words->text(); }

}  // namespace millrace
