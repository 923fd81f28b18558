// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/dataset_writer.h"
#include "core/spec/value.h"

namespace millrace {

/// An ending of a target's name that selects the format to write.
struct TargetEnding {
  std::string_view text;  ///< including the dot: ".tar"
  bool oneFile = true;    ///< the target is one file, not a folder
};

/// How to read a written data set: the parameters of its source.
struct Reading {
  std::vector<std::filesystem::path> paths;  ///< the data, or inputs and targets
  bool masks = false;                        ///< the targets are masks
  Values params;                             ///< all parameters except the paths
};

/// A format of formats.def, with everything that other rooms need to know about it. The functions
/// are pure; any thread.
struct Format {
  /// The value of `convert --to`, and the kind of the source node that reads it: "tfrecord".
  std::string_view name;
  std::string_view title;    ///< "TFRecord"
  std::string_view example;  ///< example of its file names: "*.npy, *.npz"

  // How its files are recognised. A format without `isFileName` has no container files.
  bool (*isFileName)(std::string_view lowerCaseName) = nullptr;
  /// `head` is the file's first kFormatHeadBytes bytes, or all of a shorter file.
  bool (*isHead)(std::span<const std::byte> head) = nullptr;
  /// What else a user wants to know about a file, as sentences that follow others; nullptr:
  /// nothing.
  std::string (*about)(const std::filesystem::path& file) = nullptr;
  /// This version recognises the format but has no source for it.
  bool onlyNamed = false;
  /// Its files cannot be read at a server.
  bool diskOnly = false;

  // How it is written; nullptr: it can only be read.
  OpenWriter (*openWriter)(const WriteSpec& spec, const WriteMark& from) = nullptr;
  std::vector<TargetEnding> targets;
  enum class Pictures : std::uint8_t { Any, Raw, Encoded, EncodedOrRaw };
  Pictures pictures = Pictures::Any;  ///< EncodedOrRaw: encoded unless raw ones are requested
  /// Whether it can store `field` next to `pictures` pictures; nullptr: it stores every field.
  bool (*takes)(const FieldSpec& field, std::size_t pictures) = nullptr;
  bool shards = true;              ///< a target folder can be split into shards
  bool packsRows = false;          ///< WriteSpec::gzip
  bool packsValues = false;        ///< WriteSpec::lz4
  bool oneValue = false;           ///< a sample without pictures is a single value
  bool bytesOnly = false;          ///< arrays are written without their type and shape
  bool classesAreFolders = false;  ///< labels are written as folder names
  bool namesClasses = false;       ///< its files contain the names of classes
  bool namesSamples = true;        ///< its files contain the names of samples
  /// Whether the shapes of samples may differ; nullptr: raw values have one shape.
  bool (*shapesVary)(const WriteSpec& spec) = nullptr;
  /// The list parameter of the source that receives DatasetWriter::readBack().
  std::string_view fieldsParam;
  /// Set if reading needs other paths or parameters than `path` and `fieldsParam`.
  Reading (*reading)(const std::filesystem::path& path, const WriteSpec& spec,
                     const std::vector<std::string>& readBack) = nullptr;
};

/// Number of bytes at the start of a file that `Format::isHead` examines.
inline constexpr std::size_t kFormatHeadBytes = 512;

/// The formats of formats.def, in its order. Created by the first call; any thread.
std::span<const Format> allFormats();
/// nullptr for an unknown name.
const Format* formatNamed(std::string_view name);
/// The format that a container file has by its name, regardless of case; nullptr if unknown.
const Format* formatOfFileName(std::string_view name);
/// The same by the file's first bytes, and reads only these; nullptr also if the file cannot be
/// read.
const Format* formatOfHead(const std::filesystem::path& file);

/// The format that the ending of a target's name selects; nullptr if it selects none.
const Format* formatOfTarget(const std::filesystem::path& target);
/// Whether a target with this name is a single file, not a folder.
bool isOneFile(const std::filesystem::path& target, const Format& format);
/// How to read the data set at `path`, which the format's writer has written.
Reading readingOf(const Format& format, const std::filesystem::path& path, const WriteSpec& spec,
                  const std::vector<std::string>& readBack);

/// Helper of formats: whether `name` ends with one of `endings`.
bool endsInOneOf(std::string_view name, std::initializer_list<std::string_view> endings);
/// Helper of formats: whether `head` has `magic` at offset `at`.
bool hasMagic(std::span<const std::byte> head, std::size_t at, std::string_view magic);

}  // namespace millrace
