# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Tables that list pictures."""

from case import CASES, Case

PLAIN = "image,label\na.jpg,cat\nb.jpg,dog\n"


def table(name, input, text, *pictures, right="read", said=(), file="labels.csv", classes=None,
          labels=(0, 1), samples=2, **more):
    """A case: pictures and a table, of which the table is inspected."""
    content = text.encode() if isinstance(text, str) else text
    classes = ["cat", "dog"] if classes is None else classes

    def draw(to):
        to.photos(*(pictures or ("a.jpg", "b.jpg")))
        to.put(file, content)

    CASES.append(Case(name, draw, input, right, said=["table of pictures", *said],
                      samples=samples, classes=classes, labels=list(labels), below=file, **more))


table("c01_bom_crlf", "byte order mark, CRLF, quoted comma, a space in a name",
      '\ufeffimage,label\r\na.jpg,cat\r\n"b c.jpg",dog\r\n"d,e.jpg",cat\r\n',
      "a.jpg", "b c.jpg", "d,e.jpg", right="labels 0, 1, 0", labels=[0, 1, 0], samples=3)
table("c01_semicolon", "semicolons", "image;label\na.jpg;1\nb c.jpg;0\n", "a.jpg", "b c.jpg",
      right="the separator is found; integers are class numbers", said=["`;`"],
      classes=["0", "1"], labels=[1, 0])
table("c01_backslash", "paths with backslashes", "image,label\nsub\\f.jpg,cat\na.jpg,dog\n",
      "sub/f.jpg", "a.jpg", right="read as slashes, and reported", said=["backslashes"])
table("c01_latin1", "Windows-1252", "image,label\na.jpg,niño\nb c.jpg,dog\n".encode("cp1252"),
      "a.jpg", "b c.jpg", right="names are readable", said=["Windows-1252"],
      classes=["dog", "niño"], labels=[1, 0])
table("c01_float_labels", "labels 1.0 and 0.0", "image,label\na.jpg,1.0\nb c.jpg,0.0\n",
      "a.jpg", "b c.jpg", right="1.0 is class 1", classes=["0", "1"], labels=[1, 0])
table("c01_one_based", "labels 1 and 3", "image,label\na.jpg,1\nb c.jpg,3\n", "a.jpg", "b c.jpg",
      right="classes 1 and 3 alone are noted, with the remedy", said=["one_based"],
      classes=["0", "1", "2", "3"], labels=[1, 3])
table("c01_header_case", "a header row in capitals", "Image,Label\na.jpg,cat\n", "a.jpg",
      right="read", classes=["cat"], labels=[0], samples=1)

# Siblings of these.
table("csv_plain", "a plain table", PLAIN)
table("csv_tab", "tabs", PLAIN.replace(",", "\t"), file="labels.tsv", said=["tabs"])
table("csv_pipe", "bars", PLAIN.replace(",", "|"), said=["`|`"])
table("csv_spaces", "spaces, no header row: `a.jpg 3`", "a.jpg 0\nb.jpg 1\n", file="train.txt",
      said=["spaces", "no header row"], classes=["0", "1"])
table("csv_several_spaces", "several spaces, the class first, spaces at the ends of lines",
      "0  a.jpg \n1  b.jpg \n", file="val.lst", said=["spaces"], classes=["0", "1"])
table("csv_line_ends", "lines that end in CR alone", PLAIN.replace("\n", "\r"))
table("csv_decimal_comma", "labels `1,0` of a European spreadsheet",
      "image;label\na.jpg;1,0\nb.jpg;0,0\n", right="1,0 is class 1", classes=["0", "1"],
      labels=[1, 0])
table("csv_numbered", "a nameless column of row numbers first, as pandas writes it",
      ",image,label\n0,a.jpg,cat\n1,b.jpg,dog\n", right="the columns are found")
table("csv_utf16", "UTF-16", PLAIN.encode("utf-16"), said=["UTF-16"])
table("csv_no_header", "no header row", PLAIN.split("\n", 1)[1], said=["no header row"])
table("csv_spelling", "header row `File Name`, `Category`",
      PLAIN.replace("image,label", "File Name,Category"))
table("csv_sep_line", "a first line `sep=;`, as a spreadsheet writes it",
      "sep=;\n" + PLAIN.replace(",", ";"), said=["`;`"])
table("csv_comments", "lines of comments before the header row", "# made by hand\n" + PLAIN)
table("csv_quoted", "every cell in quotes", '"image","label"\n"a.jpg","cat"\n"b.jpg","dog"\n')
table("csv_ids", "names without an extension", "id,breed\na,cat\nb,dog\n",
      right="the extension is found", said=["`.jpg` added"])
table("csv_folder", "paths that start in a folder", PLAIN, "images/a.jpg", "images/b.jpg",
      right="the folder is found", said=["start in `images`"])
table("csv_columns", "more columns", "n,image,width,label\n0,a.jpg,9,cat\n1,b.jpg,9,dog\n",
      right="the columns are found")
table("csv_absolute", "absolute paths of another machine",
      "image,label\n/home/ann/data/set/a.jpg,cat\n/home/ann/data/set/b.jpg,dog\n",
      right="found by the end of their paths, and reported", said=["/home/ann/data/set"])
table("csv_one_hot", "a column of 0.0 and 1.0 for each class, as in the ground truth of ISIC",
      "image,MEL,NV,BCC\na,0.0,1.0,0.0\nb,1.0,0.0,0.0\n",
      right="the column with the 1 is the class, in the order of the columns",
      said=["one-hot classes in the 3 columns `MEL` to `BCC`"], classes=["MEL", "NV", "BCC"],
      labels=[1, 0])
table("csv_several_ones", "several classes for each picture",
      "image,sky,sea,dog\na.jpg,1,1,0\nb.jpg,1,0,1\n",
      right="a vector with a 1 for each of them",
      said=["several classes a sample in the 3 columns `sky` to `dog`"],
      classes=["sky", "sea", "dog"], labels=[], values={"label": [[1, 1, 0], [1, 0, 1]]})
for name, text, said in (
    ("bars", "a.jpg,cat|dog\nb.jpg,dog\n", "divided by `|`"),
    ("spaces", "a.jpg,cat dog\nb.jpg,dog\n", "divided by spaces"),
    ("commas", 'a.jpg,"cat, dog"\nb.jpg,dog\n', "divided by `,`"),
    ("lists", 'a.jpg,"[""cat"", ""dog""]"\nb.jpg,"[""dog""]"\n', "divided by commas in brackets"),
    ("python", "a.jpg,\"['cat', 'dog']\"\nb.jpg,['dog']\n", "divided by commas in brackets"),
):
    table(f"csv_labels_{name}", f"several labels in a cell: `{text.splitlines()[0]}`",
          "image,tags\n" + text, right="a vector with a 1 for each of them", said=[said],
          classes=["cat", "dog"], labels=[], values={"label": [[1, 1], [0, 1]]})
table("csv_names_of_words", "classes whose names have spaces and commas",
      'image,label\na.jpg,golden retriever\nb.jpg,"cat, black"\n', right="each is one class",
      classes=["cat, black", "golden retriever"], labels=[1, 0])
