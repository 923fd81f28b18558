// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// One control for each of the nine types of parameter.
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QWheelEvent>

#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/common/style_property.h"
#include "widgets/inspector/browse_button.h"
#include "widgets/inspector/number_box.h"
#include "widgets/inspector/value_editor.h"

namespace millrace {

namespace {

void mark(QWidget& widget, const char* severity) { setStyleProperty(widget, "problem", severity); }

QHBoxLayout* rowOf(QWidget& parent) {
  auto* row = new QHBoxLayout(&parent);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  return row;
}

class NumberEditor final : public ValueEditor {
 public:
  explicit NumberEditor(const ParamSpec& spec) : m_spec(spec), m_box(new NumberBox(spec)) {
    rowOf(*this)->addWidget(m_box);
    setFocusProxy(m_box);
    connect(m_box, &NumberBox::entered, this, &NumberEditor::take);
    connect(m_box, &NumberBox::left, this, &ValueEditor::finished);
  }

  void show(const std::optional<Value>& value) override {
    if (!value)
      m_box->setMixed();
    else if (const auto* integer = std::get_if<std::int64_t>(&*value))
      m_box->setInteger(*integer);
    else
      m_box->setNumber(std::get<double>(*value));
  }
  void setProblem(const char* severity) override { mark(*m_box, severity); }

 private:
  void take(const QString& text) {
    const std::optional<double> number = typedNumber(text);
    if (!number) {
      emit refused(QString("“%1” is not a number").arg(text));
      return;
    }
    const Result<Value> value = convertValue(m_spec.type, Value{*number});
    if (value)
      emit edited(*value);
    else
      emit refused(QString("%1 is not a whole number").arg(shownNumber(*number)));
  }

  const ParamSpec& m_spec;
  NumberBox* m_box;
};

class BooleanEditor final : public ValueEditor {
 public:
  explicit BooleanEditor(const ParamSpec& spec) : m_box(new QCheckBox(toQt(spec.label))) {
    rowOf(*this)->addWidget(m_box);
    setFocusProxy(m_box);
    connect(m_box, &QCheckBox::clicked, this, [this](bool on) {
      m_box->setTristate(false);
      emit edited(Value{on});
      emit finished();
    });
  }
  void show(const std::optional<Value>& value) override {
    m_box->setTristate(!value);
    m_box->setCheckState(!value                   ? Qt::PartiallyChecked
                         : std::get<bool>(*value) ? Qt::Checked
                                                  : Qt::Unchecked);
  }
  void setProblem(const char*) override {}

 private:
  QCheckBox* m_box;
};

/// A combo box that ignores the wheel, which scrolls the inspector, until it has the focus.
class CalmComboBox final : public QComboBox {
 protected:
  void wheelEvent(QWheelEvent* event) override {
    if (hasFocus())
      QComboBox::wheelEvent(event);
    else
      event->ignore();
  }
};

class ChoiceEditor final : public ValueEditor {
 public:
  explicit ChoiceEditor(const ParamSpec& spec) : m_box(new CalmComboBox) {
    m_box->setFocusPolicy(Qt::StrongFocus);
    // Its list shows long names whole; the box itself must fit into a narrow inspector.
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_box->setMinimumContentsLength(6);
    for (std::size_t i = 0; i < spec.choices.size(); ++i) {
      const QString name = toQt(spec.choices[i]);
      m_box->addItem(QString(name).replace('_', ' '), name);
      const bool hasHelp = i < spec.choiceHelps.size() && !spec.choiceHelps[i].empty();
      m_box->setItemData(static_cast<int>(i),
                         hasHelp ? "<p>" + richSentence(spec.choiceHelps[i]) + "</p>" : QString(),
                         Qt::ToolTipRole);
    }
    rowOf(*this)->addWidget(m_box);
    setFocusProxy(m_box);
    connect(m_box, &QComboBox::activated, this, [this](int i) {
      emit edited(Value{fromQt(m_box->itemData(i).toString())});
      emit finished();
    });
  }
  void show(const std::optional<Value>& value) override {
    const int i = value ? m_box->findData(toQt(std::get<std::string>(*value))) : -1;
    m_box->setPlaceholderText(value ? toQt(std::get<std::string>(*value)) : "differs");
    m_box->setCurrentIndex(i);
    m_box->setToolTip(m_box->itemData(i, Qt::ToolTipRole).toString());
  }
  void setProblem(const char* severity) override { mark(*m_box, severity); }

 private:
  QComboBox* m_box;
};

class TextEditor : public ValueEditor {
 public:
  explicit TextEditor(const ParamSpec& spec) : m_line(new QLineEdit) {
    m_placeholder = spec.optional ? "not set" : "required";
    m_row = rowOf(*this);
    m_row->addWidget(m_line, 1);
    setFocusProxy(m_line);
    connect(m_line, &QLineEdit::editingFinished, this, [this] {
      if (m_line->isModified()) take(m_line->text());
      m_line->setModified(false);
      emit finished();
    });
  }
  void show(const std::optional<Value>& value) override { showText(value, {}); }
  void setProblem(const char* severity) override { mark(*m_line, severity); }

 protected:
  virtual void take(const QString& text) { emit edited(Value{fromQt(text)}); }
  void showText(const std::optional<Value>& value, const QString& text) {
    m_line->setPlaceholderText(value ? m_placeholder : "differs");
    const auto* own = value ? std::get_if<std::string>(&*value) : nullptr;
    m_line->setText(own != nullptr ? toQt(*own) : text);
    m_line->setModified(false);
  }
  QLineEdit* m_line;
  QHBoxLayout* m_row;
  QString m_placeholder;
};

/// A text that names something on the disk, whether or not its type is a path.
class PathEditor final : public TextEditor {
 public:
  explicit PathEditor(const ParamSpec& spec) : TextEditor(spec) {
    m_row->addWidget(new BrowseButton(
        spec, [this] { return m_line->text(); },
        [this](const QStringList& chosen) {
          emit edited(Value{pathOf(chosen.front()).string()});
          emit finished();
        }));
  }
  bool isWide() const override { return true; }
};

class RealListEditor final : public TextEditor {
 public:
  explicit RealListEditor(const ParamSpec& spec) : TextEditor(spec) {}
  void show(const std::optional<Value>& value) override {
    QStringList texts;
    if (value)
      for (const double real : std::get<RealList>(*value)) texts << shownNumber(real);
    showText(value, texts.join("; "));
  }
  bool isWide() const override { return true; }

 protected:
  /// Semicolons or spaces separate numbers; so do commas, unless they precede decimals.
  void take(const QString& text) override {
    static const QRegularExpression marks("[;\\s]+");
    QStringList parts = text.split(marks, Qt::SkipEmptyParts);
    if (!text.contains(';')) {
      QStringList finer;
      for (const QString& part : parts)
        finer << (part.count(',') == 1 && !part.contains('.') && !part.endsWith(',')
                      ? QStringList{part}
                      : part.split(',', Qt::SkipEmptyParts));
      parts = finer;
    }
    RealList reals;
    for (const QString& part : parts) {
      const std::optional<double> real = typedNumber(part);
      if (!real) {
        emit refused(QString("“%1” is not a number; write 0.5; 0.25").arg(part));
        return;
      }
      reals.push_back(*real);
    }
    emit edited(Value{reals});
  }
};

/// One line for each text or path. Enter accepts them, as in every other field; Shift+Enter begins
/// another line.
class LinesEditor final : public ValueEditor {
 public:
  explicit LinesEditor(const ParamSpec& spec) : m_text(new QPlainTextEdit) {
    m_text->setFixedHeight(spec.type == ParamType::PathList ? 56 : 48);
    m_text->setTabChangesFocus(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_placeholder = QString(spec.optional ? "not set" : "required") +
                    "; one per line (Shift+Enter adds a line)";
    QHBoxLayout* row = rowOf(*this);
    row->addWidget(m_text, 1);
    setFocusProxy(m_text);
    m_text->installEventFilter(this);
    if (spec.names == DiskName::Nothing) return;
    auto* browse = new BrowseButton(
        spec, [this] { return m_text->toPlainText().section('\n', 0, 0); },
        [this](const QStringList& chosen) {
          TextList paths;
          for (const QString& path : chosen) paths.push_back(pathOf(path).string());
          emit edited(Value{paths});
          emit finished();
        });
    row->addWidget(browse, 0, Qt::AlignTop);
  }
  void show(const std::optional<Value>& value) override {
    QStringList lines;
    if (value)
      for (const std::string& text : std::get<TextList>(*value)) lines << toQt(text);
    m_text->setPlaceholderText(value ? m_placeholder : "differs");
    if (m_text->toPlainText() != lines.join('\n')) m_text->setPlainText(lines.join('\n'));
    m_text->document()->setModified(false);
  }
  void setProblem(const char* severity) override { mark(*m_text, severity); }
  bool isWide() const override { return true; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::KeyPress) return handleKey(*static_cast<QKeyEvent*>(event));
    if (event->type() == QEvent::FocusOut) {
      take();
      emit finished();
    }
    return ValueEditor::eventFilter(watched, event);
  }

 private:
  bool handleKey(const QKeyEvent& key) {
    if (key.key() != Qt::Key_Return && key.key() != Qt::Key_Enter) return false;
    if (key.modifiers() & Qt::ShiftModifier) {
      m_text->insertPlainText("\n");  // Qt would insert a line separator.
    } else {
      take();
      emit finished();
    }
    return true;
  }
  void take() {
    if (!m_text->document()->isModified()) return;
    m_text->document()->setModified(false);
    TextList texts;
    for (const QString& line : m_text->toPlainText().split('\n', Qt::SkipEmptyParts))
      texts.push_back(fromQt(line.trimmed()));
    emit edited(Value{texts});
  }

  QPlainTextEdit* m_text;
  QString m_placeholder;
};

}  // namespace

std::unique_ptr<ValueEditor> makeEditor(const ParamSpec& spec) {
  switch (spec.type) {
    case ParamType::Integer:
    case ParamType::Real: return std::make_unique<NumberEditor>(spec);
    case ParamType::Boolean: return std::make_unique<BooleanEditor>(spec);
    case ParamType::Choice: return std::make_unique<ChoiceEditor>(spec);
    case ParamType::Text:
    case ParamType::Path:
      if (spec.names != DiskName::Nothing) return std::make_unique<PathEditor>(spec);
      return std::make_unique<TextEditor>(spec);
    case ParamType::RealList: return std::make_unique<RealListEditor>(spec);
    case ParamType::TextList:
    case ParamType::PathList: return std::make_unique<LinesEditor>(spec);
  }
  return nullptr;
}

}  // namespace millrace
