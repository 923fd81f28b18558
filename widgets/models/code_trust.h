// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QTimer>

#include "core/graph/graph.h"

namespace millrace {

class Document;

/// Code that a pipeline runs with the user's rights: a Python file or module, or an interpreter
/// that is given by its path.
struct UserCode {
  enum class Kind : std::uint8_t { File, Module, Interpreter };
  Kind kind = Kind::File;
  QString name;                ///< as the user reads it: "mine.py"
  std::filesystem::path path;  ///< absolute; of a module without suffix, if it is not installed
  QByteArray digest;           ///< of the content; empty: there is no such file
  bool operator==(const UserCode&) const = default;
};

/// The code of nodes that are on, without digests. Does not look at the disk.
std::vector<UserCode> userCode(const Graph& graph, const Catalog& catalog,
                               const std::filesystem::path& base);
/// Reads the files, which may take long; any thread.
std::vector<UserCode> withDigests(std::vector<UserCode> code);

/// Whether the user allowed this content of this file. Kept in the settings of the program.
bool isAllowed(const UserCode& code);
void allow(const std::vector<UserCode>& code);
/// The part of `code` that exists and is not allowed. Reads the files; any thread.
std::vector<UserCode> notAllowed(const std::vector<UserCode>& code);
/// "This pipeline runs Python code from mine.py. Run it?"; empty if there is nothing to ask.
QString questionAbout(const std::vector<UserCode>& code);

/// Why this pipeline may not run, as a sentence; empty if it may. Reads the files; any thread.
QString whyNotAllowed(const Graph& graph, const Catalog& catalog,
                      const std::filesystem::path& base);

/// Whether a document may run: the code that it names was allowed by the user, once for each file
/// and content. Everything of the workbench that runs a document asks here first. The files are
/// read on another thread after each edit and when `check` is called. GUI thread.
class CodeTrust : public QObject {
  Q_OBJECT
 public:
  explicit CodeTrust(Document& document);

  /// Why the document may not run, as a sentence; empty if it may. While the files are being read
  /// it may not, though there is nothing to ask yet.
  QString obstacle() const;
  /// "This pipeline runs Python code from mine.py. Run it?"; empty if there is nothing to ask.
  QString question() const;
  /// The user's answer to the question.
  void allowAll();
  void check();

 signals:
  void changed();

 private:
  void begin();
  void set(std::vector<UserCode> unanswered, bool isKnown);

  Document& m_document;
  QTimer m_delay;
  std::vector<UserCode> m_code;        ///< of the document, without digests
  std::vector<UserCode> m_unanswered;  ///< not allowed
  bool m_isKnown = true;               ///< the files of `m_code` have been read
  int m_checks = 0;                    ///< answers to earlier checks are dropped
};

}  // namespace millrace
