# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# Converts the output of --help to a manual page in man(7).
#   awk -v page=NAME -v version=VERSION -v date=YYYY-MM-DD -v see='NAME NAME' -f make_manual.awk
# Standard input: the help of one command. The help of its subcommands may follow, each after a line
# `@ COMMAND`. `see` names the pages for SEE ALSO.
#
# It accepts the layouts of CLI11 and of QCommandLineParser: sections such as `Options:`, with
# entries indented by two spaces and explanations further to the right, and free text at the end.

# Text as roff shows it unchanged. A hyphen becomes an ASCII minus, so that options can be copied.
function plain(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  gsub(/'/, "\\(aq", text)
  gsub(/`/, "\\(ga", text)
  gsub(/\^/, "\\(ha", text)
  gsub(/~/, "\\(ti", text)
  if (text ~ /^\./) text = "\\\\&" text
  return text
}
function bold(text) { return "\\fB" plain(text) "\\fR" }
function slanted(text) { return "\\fI" plain(text) "\\fR" }

# The words after a command: placeholders italic, options bold.
function arguments(words, count, part, i, text) {
  count = split(words, part, " ")
  for (i = 1; i <= count; ++i) text = text " " (part[i] ~ /^-/ ? bold(part[i]) : slanted(part[i]))
  return text
}

# Prints text that may be filled, in lines of at most 79 bytes.
function fill(text, count, part, i, line) {
  count = split(plain(text), part, " ")
  for (i = 1; i <= count; ++i) {
    if (line != "" && length(line) + length(part[i]) > 78) {
      print line
      line = part[i] ~ /^\./ ? "\\&" part[i] : part[i]
    } else {
      line = line (line == "" ? "" : " ") part[i]
    }
  }
  if (line != "") print line
}

# Prints free text: indented lines unchanged, others as paragraphs; with `all_indented` not set,
# indented lines that follow text without a colon at its end are more of that text. A line that
# holds a command after two spaces stays a line. `started`: whether this section has text before it.
function free(text, all_indented, started, count, line, i, inside) {
  count = split(text, line, "\n")
  for (i = 1; i <= count; ++i) {
    if (line[i] == "") continue
    if (!all_indented && !inside && i > 1 && line[i] ~ /^ / && line[i - 1] !~ /:$/)
      sub(/^ +/, "", line[i])
    if (line[i] ~ /^ /) {
      if (!inside) print (started ? ".PP\n" : "") ".nf"
      inside = started = 1
      sub(/^  /, "    ", line[i])
      print plain(line[i])
      continue
    }
    if (inside) print ".fi\n.PP"
    else if (started && line[i] ~ /:  /) print ".br"
    inside = 0
    started = 1
    sub(/:  +/, ": ", line[i])
    fill(line[i])
  }
  if (inside) print ".fi"
}

# In CLI11 the first line of an entry has rules after the name: `--batches UINT:POSITIVE`. They become
# sentences after the explanation.
function entry(head, text, required, rule, name, kind) {
  rule = ""
  required = sub(/ REQUIRED$/, "", head)
  if (section == "Options" && required) rule = " Required." rule
  if (match(head, /:(INT|UINT|FLOAT) in \[.*\]$/)) {
    kind = substr(head, RSTART + 1)
    sub(/^[A-Z]+ in \[/, "", kind)
    sub(/\]$/, "", kind)
    sub(/ - /, " to ", kind)
    rule = " From " kind "." rule
    head = substr(head, 1, RSTART - 1)
  } else if (match(head, /:\{.*\}$/)) {
    kind = substr(head, RSTART + 2, RLENGTH - 3)
    gsub(/,/, ", ", kind)
    rule = " One of: " kind "." rule
    head = substr(head, 1, RSTART - 1)
  } else if (sub(/:POSITIVE$/, "", head)) {
    rule = " Above 0." rule
  } else if (sub(/:NONNEGATIVE$/, "", head)) {
    rule = " 0 or more." rule
  }
  name = head
  kind = ""
  if (section == "Options" && match(head, / [^-]/)) {
    name = substr(head, 1, RSTART - 1)
    kind = substr(head, RSTART + 1)
  } else if (section == "Positionals" && match(head, / /)) {
    name = substr(head, 1, RSTART - 1)
    kind = ""  # Left to the explanation; the synopsis shows what may be repeated.
  }
  gsub(/,-/, ", -", name)
  print ".TP"
  print (section == "Positionals" || section == "Arguments" ? slanted(name) : bold(name)) \
    (kind == "" ? "" : " " slanted(kind))
  if (rule != "" && text !~ /[.]$/) text = text "."
  fill(text rule)
}

# CLI11 leaves one space before the explanation when the name just fits its column.
function close_entry() {
  if (explained == "" && substr(head, 28) ~ /^ [^ ]/) {
    explained = substr(head, 29)
    head = substr(head, 1, 27)
  }
  if (head != "") entry(head, explained)
  head = explained = ""
}

# Titles of sections as manual pages have them.
function title(word) {
  if (word == "Positionals") return "ARGUMENTS"
  if (word == "Subcommands") return "COMMANDS"
  return toupper(word)
}

function open_section(word) {
  close_entry()
  section = word
  if (!nested) print ".SH " title(word)
}

# The text after the last section: examples, then notes.
function close_command(count, line, i, examples, notes, inside, hanging) {
  close_entry()
  count = split(footer, line, "\n")
  for (i = 1; i <= count; ++i) {
    if (line[i] ~ /^Examples?:/) {
      inside = 1
      hanging = sub(/^Examples?:  /, "  ", line[i])  # Then more commands may stand below this one.
      sub(/^Examples?: /, "", line[i])
      line[i] = toupper(substr(line[i], 1, 1)) substr(line[i], 2)
    } else if (line[i] !~ /^ /) {
      inside = 0
    } else if (inside && hanging) {
      sub(/^          /, "  ", line[i])
    }
    if (inside) {
      examples = examples line[i] "\n"
    } else {
      notes = notes line[i] "\n"
    }
  }
  if (examples != "") {
    print nested ? ".PP\nExamples:" : ".SH EXAMPLES"
    free(examples, 1, nested)
  }
  if (notes != "") {
    print nested ? ".PP" : ".SH NOTES"
    free(notes, 0, 0)
  }
  footer = ""
}

# The words of a usage line after the program's name and the command's, which are `command`.
function usage_words(text) {
  sub(/^Usage: [^ ]+ ?/, "", text)
  if (command != "" && index(text, command " ") == 1) text = substr(text, length(command) + 2)
  else if (command == text) text = ""
  return text
}

BEGIN {
  program = page
  sub(/-.*/, "", program)
  command = page
  if (!sub(/^[^-]*-/, "", command)) command = ""
  if (page == "millrace-workbench") { program = page; command = "" }
  print ".\\\" Generated from --help by scripts/lib/make_manual.awk; do not edit."
  print ".TH " plain(toupper(page)) " 1 " date " \"Millrace " version "\" \"User Commands\""
  state = "summary"
}

/^@ / {
  close_command()
  if (!nested) print ".SH SUBCOMMANDS"
  nested = 1
  command = substr($0, 3)
  summary = usage = section = ""
  state = "summary"
  next
}
/^Usage: / { usage = $0; next }
state == "summary" && /^[A-Z][A-Za-z ]*:$/ {
  words = arguments(usage_words(usage))
  if (nested) {
    print ".SS " plain(program " " command)
    print bold(program " " command) words
    print ".PP"
    fill(summary ".")
  } else {
    print ".SH NAME"
    print plain(page) " \\- " plain(summary)
    print ".SH SYNOPSIS"
    print bold(program (command == "" ? "" : " " command)) words
  }
  state = "sections"
}
state == "summary" {
  if ($0 != "") { sub(/\.$/, ""); summary = summary (summary == "" ? "" : " ") $0 }
  next
}
state == "sections" && /^(Positionals|Arguments|Options|Subcommands):$/ {
  open_section(substr($0, 1, length($0) - 1))
  next
}
state == "sections" && /^  [^ ]/ {
  close_entry()
  head = substr($0, 3)
  # Two spaces separate the name from the explanation; after a long name it is on the next line.
  if (match(head, /  +/)) {
    explained = substr(head, RSTART + RLENGTH)
    head = substr(head, 1, RSTART - 1)
  }
  next
}
state == "sections" && /^          / {
  sub(/^ +/, "")
  explained = explained (explained == "" ? "" : " ") $0
  next
}
state == "sections" && /^$/ { close_entry(); next }
{ state = "footer"; footer = footer (footer == "" ? "" : "\n") $0 }

END {
  close_command()
  if (see != "") {
    print ".SH SEE ALSO"
    count = split(see, other, " ")
    for (i = 1; i <= count; ++i) print ".BR " plain(other[i]) " (1)" (i < count ? "," : "")
  }
}
