// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/field_row.h"

#include <QAbstractSpinBox>
#include <QContextMenuEvent>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QToolButton>

#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/style_property.h"

namespace millrace {

namespace {

constexpr int kLabelWidth = 92;

QString helpOf(const ParamSpec& spec) {
  QString html = "<b>" + toQt(spec.label).toHtmlEscaped() + "</b> <code>" + toQt(spec.name) +
                 "</code><p>" + richSentence(spec.help) + "</p>";
  for (std::size_t i = 0; i < spec.choices.size(); ++i)
    if (i < spec.choiceHelps.size() && !spec.choiceHelps[i].empty())
      html +=
          "<p><b>" + toQt(spec.choices[i]) + "</b> " + richSentence(spec.choiceHelps[i]) + "</p>";
  if (spec.live) html += "<p>Can be changed during a run.</p>";
  return html;
}

/// "0 to 16 384 px; 0: no limit; default 224 px".
QString captionOf(const ParamSpec& spec, const QString& explanation, bool changed) {
  QStringList parts;
  if (const QString allowed = shownAllowed(spec); !allowed.isEmpty()) parts << allowed;
  if (!explanation.isEmpty()) parts << explanation;
  if (changed && spec.type != ParamType::Boolean)
    parts << "default " + shownValue(spec, spec.defaultValue);
  return parts.join("; ");
}

}  // namespace

FieldRow::FieldRow(const ParamSpec& spec, QWidget* parent)
    : QWidget(parent),
      m_spec(spec),
      m_editor(makeEditor(spec).release()),
      m_reset(new QToolButton),
      m_note(new QFrame),
      m_noteText(new QLabel) {
  build();
  for (QWidget* control : m_editor->findChildren<QWidget*>())
    if (qobject_cast<QLineEdit*>(control) != nullptr ||
        qobject_cast<QAbstractSpinBox*>(control) != nullptr ||
        qobject_cast<QPlainTextEdit*>(control) != nullptr)
      control->installEventFilter(this);
  m_editor->setAccessibleName(toQt(spec.label));
  m_editor->setAccessibleDescription(toQt(spec.help).remove('`') + " " + shownAllowed(spec));
  if (QWidget* proxy = m_editor->focusProxy()) {
    proxy->setAccessibleName(toQt(spec.label));
    proxy->setAccessibleDescription(m_editor->accessibleDescription());
  }
  setFocusProxy(m_editor);
  connect(m_editor, &ValueEditor::edited, this, [this](const Value& value) {
    // The document checks too; here the problem is shown at the field.
    if (const auto wrong = m_spec.problemWith(value))
      showRefusal(toQt(*wrong));
    else
      emit edited(value);
  });
  connect(m_editor, &ValueEditor::refused, this, &FieldRow::showRefusal);
  connect(m_editor, &ValueEditor::finished, this, &FieldRow::finished);
  connect(m_reset, &QToolButton::clicked, this, [this] {
    m_refused = false;
    emit edited(m_spec.defaultValue);
    emit finished();
    show(m_spec.defaultValue);
  });
  connect(m_noteText, &QLabel::linkActivated, m_reset, &QToolButton::click);
}

void FieldRow::build() {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(2);
  auto* label = new QLabel(toQt(m_spec.label));
  label->setBuddy(m_editor);
  label->setToolTip(helpOf(m_spec));
  label->setWordWrap(true);
  m_editor->setToolTip(helpOf(m_spec));
  m_reset->setIcon(icon("reset", Tone::Accent));
  m_reset->setToolTip("Reset to the default: " + shownValue(m_spec, m_spec.defaultValue));
  m_reset->setAccessibleName("Reset " + toQt(m_spec.label));
  m_reset->setFixedSize(28, 28);
  QSizePolicy kept = m_reset->sizePolicy();
  kept.setRetainSizeWhenHidden(true);
  m_reset->setSizePolicy(kept);
  m_note->setProperty("note", "error");
  auto* noteLayout = new QGridLayout(m_note);
  noteLayout->setContentsMargins(8, 5, 8, 5);
  m_noteText->setWordWrap(true);
  m_noteText->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  noteLayout->addWidget(m_noteText);
  auto* caption = new QLabel;
  caption->setObjectName("caption");
  caption->setProperty("role", "hint");
  caption->setWordWrap(true);

  const bool wide = m_editor->isWide();
  const bool boolean = m_spec.type == ParamType::Boolean;
  label->setFixedWidth(kLabelWidth);
  label->setVisible(!boolean);
  grid->addWidget(label, 0, 0, Qt::AlignVCenter);
  const int row = wide ? 1 : 0;
  const int column = wide ? 0 : 1;
  m_line = new QHBoxLayout;
  m_line->setSpacing(6);
  m_line->addWidget(
      m_editor,
      wide || !(m_spec.type == ParamType::Integer || m_spec.type == ParamType::Real) ? 1 : 0);
  if (!m_spec.unit.empty()) {
    m_unit = new QLabel(shownUnit(m_spec.unit));
    m_unit->setProperty("role", "second");
    m_unit->setMinimumWidth(1);
    m_line->addWidget(m_unit);
    m_line->addStretch(1);
  }
  m_line->addWidget(m_reset);
  grid->addLayout(m_line, row, column, 1, wide ? 2 : 1);
  grid->addWidget(caption, row + 1, column, 1, wide ? 2 : 1);
  grid->addWidget(m_note, row + 2, 0, 1, 2);
  grid->setColumnStretch(1, 1);
  m_note->hide();
}

void FieldRow::contextMenuEvent(QContextMenuEvent* event) {
  if (!actions().isEmpty()) QMenu::exec(actions(), event->globalPos(), nullptr, this);
}

bool FieldRow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    show(std::optional(m_value));
    emit left();
    return true;
  }
  if (event->type() != QEvent::ContextMenu || actions().isEmpty())
    return QWidget::eventFilter(watched, event);
  // A number's line edit leaves the context menu to the box around it.
  auto* line = qobject_cast<QLineEdit*>(watched);
  if (line == nullptr) line = watched->findChild<QLineEdit*>();
  auto* text = qobject_cast<QPlainTextEdit*>(watched);
  const std::unique_ptr<QMenu> menu(line != nullptr   ? line->createStandardContextMenu()
                                    : text != nullptr ? text->createStandardContextMenu()
                                                      : new QMenu);
  menu->addSeparator();
  menu->addActions(actions());
  menu->exec(static_cast<QContextMenuEvent*>(event)->globalPos());
  return true;
}

void FieldRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (m_unit == nullptr) return;
  const int missing = m_unit->isHidden() ? m_unit->sizeHint().width() + m_line->spacing() : 0;
  m_unit->setVisible(m_line->sizeHint().width() + missing <= m_line->geometry().width());
}

void FieldRow::show(const std::optional<Value>& value) {
  m_refused = false;
  m_value = value;
  m_editor->show(value);
  const bool changed = !value || *value != m_spec.defaultValue;
  m_reset->setVisible(changed);
  showCaption();
  showProblems(m_problems);
}

void FieldRow::showUse(const QString& why) {
  m_whyUnused = why;
  showCaption();
}

void FieldRow::explain(const QString& words) {
  m_explanation = words;
  m_editor->setAccessibleDescription(m_editor->accessibleDescription() + "; " + words);
  if (QWidget* proxy = m_editor->focusProxy())
    proxy->setAccessibleDescription(m_editor->accessibleDescription());
  showCaption();
}

void FieldRow::showCaption() {
  auto* caption = findChild<QLabel*>("caption");
  const bool changed = !m_value || *m_value != m_spec.defaultValue;
  caption->setText(m_whyUnused.isEmpty() ? captionOf(m_spec, m_explanation, changed) : m_whyUnused);
  caption->setVisible(!caption->text().isEmpty());
  // A wrong value can be corrected even in an unused field.
  m_editor->setEnabled(m_whyUnused.isEmpty() || !m_problems.empty());
}

void FieldRow::showRefusal(const QString& why) {
  m_refused = true;
  showNote("error", richSentence(fromQt(why)) + " <a href='reset'>Use " +
                        shownValue(m_spec, m_spec.defaultValue).toHtmlEscaped() + "</a>");
}

void FieldRow::showProblems(const std::vector<Problem>& problems) {
  m_problems = problems;
  showCaption();
  if (m_refused) return;
  if (problems.empty()) return showNote("", {});
  QStringList lines;
  bool error = false;
  for (const Problem& problem : problems) {
    error = error || problem.severity == Severity::Error;
    lines << richSentence(problem.message) + " " + richSentence(problem.remedy);
  }
  showNote(error ? "error" : "warning", lines.join("<br>"));
}

void FieldRow::showNote(const char* severity, const QString& html) {
  const bool shown = !html.isEmpty();
  m_editor->setProblem(severity);
  m_noteText->setText(html);
  if (shown) setStyleProperty(*m_note, "note", severity);
  m_note->setVisible(shown);
}

}  // namespace millrace
