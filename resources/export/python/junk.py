# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import re

# Parts of names that are not those of data, in lower case.
JUNK_BEGINS = tuple(".|~$|_committed_|_started_|events.out.tfevents.".split("|"))
JUNK_ENDS = tuple(
    "~|.part|.partial|.crdownload|.download|.filepart|.aria2|.incomplete|"
    ".opdownload|.!qb|.!ut|.torrent|.dvc|.tmp|.temp|.bak|.swp|.swo|.lock|.lck|"
    ".md5|.sha1|.sha224|.sha256|.sha384|.sha512|.md5sum|.sha1sum|.sha256sum|"
    ".sha512sum|.crc|.sfv|.asc|.sig|.identifier".split("|")
)
JUNK_IS = set(
    "md5sum|md5sums|md5sums.txt|sha1sums|sha1sums.txt|sha256sum|sha256sums|"
    "sha256sums.txt|sha512sums|sha512sums.txt|b2sums|checksum|checksums|"
    "checksums.txt|thumbs.db|ehthumbs.db|ehthumbs_vista.db|desktop.ini|"
    "folder.ini|autorun.inf|picasa.ini|icon\r|$recycle.bin|recycler|found.000|"
    "system volume information|network trash folder|temporary items|"
    "zbthumbnail.info|_gsdata_|__macosx|@eadir|@__thumb|@tmp|@recycle|"
    "@recently-snapshot|#recycle|#snapshot|lost+found|__pycache__|_temporary|"
    "_success|_metadata|_common_metadata|thumbs.db:encryptable|cvs|wandb|mlruns|"
    "lightning_logs|venv|node_modules".split("|")
)
JUNK_DOCUMENT = set(
    "readme|license|licence|copying|copyright|notice|citation|attribution|"
    "authors|credits|changelog".split("|")
)
JUNK_TEXT = set(
    "txt|md|rst|rtf|pdf|doc|docx|xls|xlsx|csv|tsv|json|jsonl|xml|yaml|yml|toml|"
    "ini|cfg|log|html|htm|url|lnk|py|sh|ipynb|db|sqlite|zip|tar|gz|npy|npz|mat|pts|"
    "pkl|xmp|aae|parquet|tfrecord|h5|hdf5|mdb|arrow|pt|pth|ckpt|onnx|"
    "safetensors".split("|")
)
JUNK_RECORD = set(
    b"__len__|__keys__|length|len|num_samples|num-samples|nsamples|size|count|"
    b"keys|meta|metadata|meta_info".split(b"|")
)


def is_junk(name, is_folder):
    """Whether this is the name of a file or folder that is not data."""
    name = name.lower()
    if name.startswith(JUNK_BEGINS) or name in JUNK_IS:
        return True
    if is_folder:
        return False
    ending = name.rpartition(".")[2] if "." in name else ""
    document = re.match("[a-z]*", name)[0] in JUNK_DOCUMENT
    return name.endswith(JUNK_ENDS) or (document and ending in {"", *JUNK_TEXT})


def is_junk_path(path):
    *folders, name = path.split("/")
    folders = [folder for folder in folders if folder not in {"", ".", ".."}]
    return is_junk(name, False) or any(is_junk(folder, True) for folder in folders)


def is_no_picture(name, is_folder):
    """The same for a name among pictures: texts and tables are no data there."""
    ending = name.lower().rpartition(".")[2] if "." in name else ""
    return is_junk(name, is_folder) or (not is_folder and ending in JUNK_TEXT)
