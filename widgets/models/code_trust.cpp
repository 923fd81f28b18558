// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/code_trust.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include <QCryptographicHash>
#include <QFile>
#include <QSettings>
#include <QStringList>

#include "core/spec/catalog.h"
#include "widgets/bridge/file_work.h"
#include "widgets/common/strings.h"
#include "widgets/models/document.h"

namespace millrace {

namespace fs = std::filesystem;

namespace {

constexpr int kReadDelayMs = 300;
/// The digest of a module that is not in the pipeline's folder: Python knows where it is.
const QByteArray kInstalled = "installed";

/// The parameters that describeOwnCode gives to every node that runs code of the user.
constexpr const char* kFile = "file";
constexpr const char* kInterpreter = "python";

bool runsCode(const NodeSpec& spec) {
  return spec.param(kFile) != nullptr && spec.param(kInterpreter) != nullptr;
}

std::string textParam(const GraphNode& node, const std::string& param) {
  const auto at = node.params.find(param);
  if (at == node.params.end()) return {};
  const auto* value = std::get_if<Value>(&at->second);
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return text == nullptr ? std::string() : *text;
}

UserCode codeAt(UserCode::Kind kind, const std::string& path, const fs::path& base) {
  std::error_code error;
  return {kind, toQt(path), fs::absolute(base / path, error).lexically_normal(), {}};
}

/// "MODULE:NAME" in one of the node's texts.
void addModules(const GraphNode& node, const fs::path& base, std::vector<UserCode>& code) {
  for (const auto& [param, value] : node.params) {
    const std::string text = textParam(node, param);
    const std::size_t colon = text.find(':');
    if (param == kInterpreter || colon == std::string::npos) continue;
    std::string path = text.substr(0, colon);
    std::ranges::replace(path, '.', '/');
    UserCode module = codeAt(UserCode::Kind::Module, path, base);
    module.name = "the module " + toQt(text.substr(0, colon));
    code.push_back(module);
  }
}

QByteArray digestOf(const fs::path& path) {
  std::error_code error;
  QFile file(fileText(path));
  // A pipe would block.
  if (!fs::is_regular_file(path, error) || !file.open(QIODevice::ReadOnly)) return {};
  QCryptographicHash hash(QCryptographicHash::Sha256);
  return hash.addData(&file) ? hash.result().toHex() : QByteArray();
}

QByteArray moduleDigest(const fs::path& path) {
  for (const fs::path& file : {fs::path(path.string() + ".py"), path / "__init__.py"})
    if (QByteArray digest = digestOf(file); !digest.isEmpty()) return digest;
  return kInstalled;
}

/// A path cannot be a key of QSettings, in which slashes separate groups.
QString keyOf(const UserCode& code) {
  const QByteArray path = QByteArray::fromStdString(code.path.string());
  return "allowed_code/" +
         QString::fromLatin1(QCryptographicHash::hash(path, QCryptographicHash::Sha256).toHex());
}

QSettings settings() { return QSettings("millrace", "workbench"); }

/// What is not there cannot run.
void eraseAllowed(std::vector<UserCode>& code) {
  std::erase_if(code,
                [](const UserCode& each) { return each.digest.isEmpty() || isAllowed(each); });
}

/// "This pipeline runs Python code from mine.py with env/bin/python."
QString sentenceOf(const std::vector<UserCode>& code) {
  QStringList names;
  QStringList interpreters;
  for (const UserCode& each : code)
    (each.kind == UserCode::Kind::Interpreter ? interpreters : names) << each.name;
  QString words = "This pipeline runs Python code";
  if (!names.isEmpty()) words += " from " + names.join(" and ");
  if (!interpreters.isEmpty()) words += " with " + interpreters.join(" and ");
  return words + '.';
}

}  // namespace

std::vector<UserCode> userCode(const Graph& graph, const Catalog& catalog, const fs::path& base) {
  std::vector<UserCode> code;
  for (const GraphNode& node : graph.nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec == nullptr || node.state != NodeState::On || !runsCode(*spec)) continue;
    const std::string file = textParam(node, kFile);
    const std::string interpreter = textParam(node, kInterpreter);
    if (file.empty())
      addModules(node, base, code);
    else
      code.push_back(codeAt(UserCode::Kind::File, file, base));
    if (interpreter.find('/') != std::string::npos)
      code.push_back(codeAt(UserCode::Kind::Interpreter, interpreter, base));
  }
  std::ranges::sort(code, {}, &UserCode::path);
  // Not std::ranges::unique, which clazy's parser does not know.
  code.erase(std::unique(code.begin(), code.end()), code.end());
  return code;
}

std::vector<UserCode> withDigests(std::vector<UserCode> code) {
  for (UserCode& each : code)
    each.digest =
        each.kind == UserCode::Kind::Module ? moduleDigest(each.path) : digestOf(each.path);
  return code;
}

bool isAllowed(const UserCode& code) {
  return settings().value(keyOf(code)).toByteArray() == code.digest;
}

void allow(const std::vector<UserCode>& code) {
  QSettings kept = settings();
  for (const UserCode& each : code) kept.setValue(keyOf(each), each.digest);
}

std::vector<UserCode> notAllowed(const std::vector<UserCode>& code) {
  std::vector<UserCode> unanswered = withDigests(code);
  eraseAllowed(unanswered);
  return unanswered;
}

QString questionAbout(const std::vector<UserCode>& code) {
  return code.empty() ? QString() : sentenceOf(code) + " Run it?";
}

QString whyNotAllowed(const Graph& graph, const Catalog& catalog, const fs::path& base) {
  const std::vector<UserCode> code = notAllowed(userCode(graph, catalog, base));
  return code.empty()
             ? QString()
             : sentenceOf(code) + " Open it and choose “Run it” above the canvas to allow that.";
}

CodeTrust::CodeTrust(Document& document) : m_document(document) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kReadDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &CodeTrust::check);
  connect(&document, &Document::changed, this, &CodeTrust::begin);
  connect(&document, &Document::stateChanged, this, &CodeTrust::begin);
  begin();
}

/// Nothing of other code may run until its files have been read.
void CodeTrust::begin() {
  std::vector<UserCode> code =
      userCode(m_document.graph(), m_document.catalog(), m_document.base());
  const bool isSame = code == m_code;
  if (isSame && code.empty()) return;
  m_code = std::move(code);
  if (!isSame) {
    ++m_checks;
    set({}, m_code.empty());
  }
  if (m_code.empty()) return m_delay.stop();
  isSame ? m_delay.start() : check();
}

void CodeTrust::check() {
  if (m_code.empty()) return;
  doFileWork(*this, [this, number = ++m_checks, code = m_code] {
    return [this, number, unanswered = notAllowed(code)] {
      if (number == m_checks) set(unanswered, true);
    };
  });
}

void CodeTrust::set(std::vector<UserCode> unanswered, bool isKnown) {
  if (m_unanswered == unanswered && m_isKnown == isKnown) return;
  m_unanswered = std::move(unanswered);
  m_isKnown = isKnown;
  emit changed();
}

QString CodeTrust::obstacle() const {
  if (!m_isKnown) return "The Python files of this pipeline are being read.";
  if (m_unanswered.empty()) return {};
  return sentenceOf(m_unanswered) + " Choose “Run it” above the canvas to allow that.";
}

QString CodeTrust::question() const { return questionAbout(m_unanswered); }

void CodeTrust::allowAll() {
  allow(m_unanswered);
  set({}, m_isKnown);
}

}  // namespace millrace
