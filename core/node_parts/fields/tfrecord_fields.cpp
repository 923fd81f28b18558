// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/tfrecord_fields.h"

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace::nodes {

namespace {

std::string noteOfOthers(std::size_t others, const ExampleSurvey& survey,
                         const ExaminedRecords& examined) {
  std::string note = fmt::format(
      "{} of the {} records examined {} and will fail; first: {}", others, examined.sound,
      others == 1 ? "is not a tf.train.Example" : "are not tf.train.Examples", examined.firstOther);
  if (survey.sequences() > 0)
    note += fmt::format("; {} a tf.train.SequenceExample, which is not read",
                        others == 1 ? "it is" : fmt::format("{} of them are", survey.sequences()));
  return note;
}

std::string noteOfUnused(std::vector<std::string> keys) {
  constexpr std::size_t kMostNamed = 4;
  if (keys.size() > kMostNamed + 1) {
    const std::size_t more = keys.size() - kMostNamed;
    keys.resize(kMostNamed);
    keys.push_back(fmt::format("and {} more", more));
  }
  return fmt::format("unused keys: {}; select them with `keys`", join(keys, ", "));
}

}  // namespace

std::vector<FieldSpec> usualTfRecordFields() {
  return {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image},
          {"label", DType::I64, {}, Layout::Plain, Role::Label}};
}

Result<TfRecordFields> tfRecordFields(const ExampleSurvey& survey, const ExaminedRecords& examined,
                                      const std::vector<std::string>& keys, bool required) {
  TfRecordFields found;
  MILLRACE_ASSIGN_OR_RETURN(found.fields, parseExampleKeys(keys));
  if (2 * survey.sequences() > examined.sound)
    return Error{fmt::format(
        "{} of {} records examined are tf.train.SequenceExample, which is not read. They contain "
        "{}. Write each as a tf.train.Example, or set `content` of the tfrecord node to `bytes`",
        survey.sequences(), examined.sound, survey.sequenceText())};
  const bool wanted = required || !keys.empty();
  if (!wanted && 2 * survey.records() <= examined.sound) return found;
  if (survey.records() == 0)
    return Error{fmt::format(
        "none of the {} records examined is a tf.train.Example; set `content` to `bytes` "
        "to read them without interpretation",
        examined.sound)};
  if (survey.records() < examined.sound)
    found.notes.push_back(noteOfOthers(examined.sound - survey.records(), survey, examined));
  if (found.fields.empty()) found.fields = survey.guess();
  MILLRACE_TRY(survey.complete(found.fields));
  if (found.fields.empty() && wanted)
    return Error{"no key has a fixed size in the records examined; list what you need in `keys`: " +
                 join(survey.leftOut({}), ", ")};
  found.examples = true;
  for (std::string& note : survey.missing(found.fields)) found.notes.push_back(std::move(note));
  const std::vector<std::string> unused = survey.leftOut(found.fields);
  if (keys.empty() && !found.fields.empty() && !unused.empty())
    found.notes.push_back(noteOfUnused(unused));
  if (const std::string key = survey.listOfClasses(found.fields);
      keys.empty() && !key.empty() && suitClassLists(specsOf(found.fields))) {
    found.classLists = classListsIn("keys", key, found.fields);
    found.notes.push_back(noteOf(*found.classLists));
  }
  return found;
}

}  // namespace millrace::nodes
