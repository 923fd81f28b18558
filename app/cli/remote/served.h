// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/base/result.h"

namespace millrace::cli {

/// Whether `millrace --on` of another machine started this program.
bool isServed(int argc, char** argv);

/// This program as `millrace --on` of another machine starts it: greets on standard output and
/// reads the request from standard input. Afterwards standard input is a pipe that ends when the
/// connection does. When the other program ends, says nothing for a minute or asks to stop,
/// this program gets SIGTERM, and ends at the latest fifteen seconds later. One thread.
class Served {
 public:
  /// Applies what the request says about the terminal and the pipelines. An error if what comes is
  /// not a request, or standard input ends before.
  static Result<std::unique_ptr<Served>> begin();
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  /// The arguments of the command line, without the program.
  const std::vector<std::string>& words() const { return m_words; }

 private:
  Served(std::vector<std::string> words, std::string rest);
  void loop();
  bool ended(int limitMs) const;
  void endProgram() const;

  const std::vector<std::string> m_words;
  std::string m_rest;  ///< came after the request
  int m_outer = -1;    ///< the connection
  int m_inner = -1;    ///< what the command reads
  int m_wake = -1;
  std::thread m_thread;
};

}  // namespace millrace::cli
