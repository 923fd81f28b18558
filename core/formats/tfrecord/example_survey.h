// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/real_labels.h"
#include "core/formats/tfrecord/example_fields.h"
#include "core/formats/tfrecord/example_proto.h"

namespace millrace {

/// Statistics about the keys of a few examples. One thread.
class ExampleSurvey {
 public:
  struct Key {
    FeatureKind kind = FeatureKind::None;
    std::size_t records = 0;  ///< number of records with a value of this kind for it
    std::size_t others = 0;   ///< number of records with a value of another kind
    std::size_t single = 0;   ///< number of records with exactly one value
    std::size_t fewest = 0;   ///< fewest values in a record
    std::size_t most = 0;
    std::size_t shortest = 0;  ///< bytes of the shortest value
    std::size_t longest = 0;
    std::size_t pictures = 0;  ///< number of records whose value is a picture file
    bool picture = false;      ///< most of the values are
    std::size_t texts = 0;     ///< number of records whose value is a text
    RealLabels numbers;        ///< of records with exactly one, a float
    std::string entry;         ///< of a key that ends with kFieldEntry: the first record's value
    std::string text() const;
  };

  /// Returns false if the bytes are not an example, or one without features.
  bool add(std::span<const std::byte> record);
  /// Number of added records that are a tf.train.SequenceExample; these are not counted otherwise.
  std::size_t sequences() const { return m_sequences; }
  /// What those contain: `a`, `b` and the lists `c`, `d`.
  std::string sequenceText() const;
  std::size_t records() const { return m_records; }
  const std::map<std::string, Key, std::less<>>& keys() const { return m_keys; }

  /// The fields that are most likely wanted: pictures and labels that most records have, otherwise
  /// everything of fixed size that all have. If most records have a picture, but under different
  /// keys, the most frequent of these keys, and the label of its records.
  std::vector<ExampleField> guess() const;
  /// Completes untyped fields from the data. The error names a key that does not occur.
  Status complete(std::vector<ExampleField>& fields) const;
  /// Where some records differ from `fields`: they lack a key, or have several values or another
  /// kind of value for it. In sentences.
  std::vector<std::string> missing(const std::vector<ExampleField>& fields) const;
  /// The key whose numbers look like the classes of samples that have several; empty if there is
  /// none, or if `fields` has a label.
  std::string listOfClasses(const std::vector<ExampleField>& fields) const;
  /// The keys that `fields` does not use, with their contents.
  std::vector<std::string> leftOut(const std::vector<ExampleField>& fields) const;

 private:
  /// The fields that the records themselves describe.
  std::vector<ExampleField> described() const;
  FieldSpec specOf(const Key& key, std::string name, Role role) const;
  /// Number of records that have values for both keys.
  std::size_t together(std::string_view a, std::string_view b) const;
  /// The key in which most records have their picture, if no key is in most records.
  std::string mainPicture() const;
  void addSequence(std::span<const std::byte> record);
  void addValue(std::string_view name, const ExampleFeature& feature, std::size_t count);

  /// The statistics of each kind of value that a key has, and of the most frequent one.
  std::map<std::string, std::map<FeatureKind, Key>, std::less<>> m_kinds;
  std::map<std::string, Key, std::less<>> m_keys;
  std::size_t m_records = 0;
  /// How many records have values for just these keys.
  std::map<std::set<std::string, std::less<>>, std::size_t> m_signatures;
  std::size_t m_sequences = 0;
  std::set<std::string, std::less<>> m_context;  ///< keys of the sequences
  std::set<std::string, std::less<>> m_lists;
};

}  // namespace millrace
