# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Picture files. The pixels are those that a pipeline gets."""

import io
import struct
import zlib

import numpy as np
from case import PILLOW, case
from draw import file_of, jpeg, photo, picture, png
from PIL import Image

QUARTER = Image.new("RGB", (100, 100), (255, 0, 0))
QUARTER.paste((0, 0, 255), (0, 0, 50, 50))
GREY16 = np.array([[0, 255, 256, 4660, 32768, 65535]], np.uint16)
GREY16_AS_BYTES = [[[value] * 3 for value in (0, 1, 1, 18, 128, 255)]]
FRAMES = [Image.new("RGB", (20, 12), (40, 90, 160)) for _ in range(3)]
for number, frame in enumerate(FRAMES):
    frame.paste((250, 30, 20), (4 * number, 2, 4 * number + 6, 8))
WHOLE = np.asarray(Image.open(io.BytesIO(photo())))


def exif(orientation):
    entries = Image.Exif()
    entries[0x0112] = orientation
    return entries.tobytes()


@case("a PNG with a palette that has transparent entries", "the palette's colours",
      said=["1 PNG, all 2x1"], samples=1,
      pixels={"a/p.png": [[[17, 34, 51], [68, 85, 102]]]})
def i01_palette_transparency(to):
    image = Image.new("P", (2, 1))
    image.putpalette([17, 34, 51, 68, 85, 102])
    image.putpixel((1, 0), 1)
    to.put("a/p.png", png(image, transparency=bytes([0, 128])))


@case("an RGB PNG in which red is transparent", "stored colours: red stays 255, 0, 0",
      samples=1, pixels={"a/p.png": np.asarray(QUARTER)})
def i02_rgb_transparency(to):
    to.put("a/p.png", png(QUARTER, transparency=(255, 0, 0)))


@case("an RGBA PNG with colours below alpha 0", "stored colours", samples=1,
      pixels={"a/p.png": [[[0, 0, 0], [200, 10, 20], [255, 255, 255], [0, 0, 0]]]})
def i03_hidden_colours(to):
    image = Image.new("RGBA", (4, 1), (0, 0, 0, 0))
    image.putpixel((1, 0), (200, 10, 20, 255))
    image.putpixel((2, 0), (255, 255, 255, 0))
    to.put("a/p.png", png(image))


@case("an RGBA PNG over a background", "the note names `background`, which shows white there",
      said=["decode.background"], samples=1, settings=["decode.background=255"],
      pixels={"a/1.png": [[[255, 255, 255], [128, 128, 255], [10, 20, 30]]]})
def background(to):
    colours = [[[9, 9, 9, 0], [1, 1, 255, 128], [10, 20, 30, 255]]]
    to.put("a/1.png", png(Image.fromarray(np.array(colours, np.uint8))))


@case("a grey PNG of 16 bits", "each value divided by 257 and rounded, never clipped", samples=1,
      pixels={"a/p.png": GREY16_AS_BYTES})
def i04_grey_16_bits(to):
    to.put("a/p.png", png(Image.fromarray(GREY16)))


@case("a PNG of 1 bit", "0 and 255", samples=1,
      pixels={"a/p.png": [[[0] * 3, [255] * 3] * 8]})
def i05_one_bit(to):
    to.put("a/p.png", png(Image.fromarray(np.array([[0, 255] * 8], np.uint8)).convert("1")))


@case("a PNG named .JPEG", "decoded by its content", said=["1 PNG"], samples=1,
      pixels={"a/n02105855_2933.JPEG": PILLOW})
def i06_png_named_jpeg(to):
    to.put("a/n02105855_2933.JPEG", png(picture()))


@case("a GIF, a WebP and a BMP named .jpg", "decoded by their content; GIF, or refused by its name",
      samples=3, may_fail={"a/Abyssinian_34.jpg": "GIF"},
      pixels={f"a/{name}.jpg": PILLOW for name in ("Abyssinian_34", "bm", "flower")})
def i07_foreign_named_jpg(to):
    to.put("a/Abyssinian_34.jpg", file_of(picture(), "GIF"))
    to.put("a/flower.jpg", file_of(picture(), "WEBP", lossless=True))
    to.put("a/bm.jpg", file_of(picture(), "BMP"))


@case("an empty file and a web page named .jpg", "both are named, the others go on",
      said=["broken 2 of 3 samples", "a web page (HTML)", "the file is empty"], samples=3,
      failures={"a/html.jpg": "a web page (HTML)", "a/zero.jpg": "the file is empty"},
      pixels={"a/ok.jpg": PILLOW})
def i08_not_pictures(to):
    to.photos("a/ok.jpg")
    to.put("a/html.jpg", b"<!DOCTYPE html><html>404</html>\n")
    to.put("a/zero.jpg", b"")


@case("a CMYK JPEG", "the colours of Pillow's convert('RGB')", samples=1,
      pixels={"a/n01739381_1309.JPEG": PILLOW})
def i09_cmyk(to):
    ink = np.zeros((48, 64, 4), np.uint8)
    ink[:, :32, 0] = 255
    ink[24:, :, 3] = 128
    image = Image.fromarray(ink, "CMYK")
    to.put("a/n01739381_1309.JPEG", file_of(image, "JPEG", quality=100, subsampling=0))


@case("a camera's JPEG with a second picture (MPO)", "the first picture, no complaint",
      said=["1 JPEG, all 64x48"], samples=1, pixels={"a/DSC.JPG": PILLOW})
def i10_two_pictures(to):
    more = [picture(32, 24, 3)]
    to.put("a/DSC.JPG", file_of(picture(), "MPO", save_all=True, append_images=more))


@case("258 foreign bytes before the end of a JPEG", "the same pixels", samples=1,
      pixels={"a/pets.jpg": WHOLE})
def i11_bytes_before_the_end(to):
    whole = photo()
    to.put("a/pets.jpg", whole[:-2] + b"\x11" * 258 + whole[-2:])


@case("a JPEG that is cut off at 60 %", "fails, with the place",
      samples=2, failures={"a/cut.jpg": "truncated after"}, pixels={"a/ok.jpg": PILLOW})
def i12_cut_off(to):
    whole = photo(160, 120)
    to.put("a/cut.jpg", whole[: len(whole) * 6 // 10])
    to.put("a/ok.jpg", whole)


@case("a JPEG of 40x20 with EXIF orientation 6", "upright: 20 wide, 40 high",
      said=["all 20x40"], samples=1, pixels={"a/e.jpg": PILLOW})
def i13_turned(to):
    to.put("a/e.jpg", jpeg(picture(40, 20), exif=exif(6)))


@case("EXIF data with an entry of 2^28 values outside of the file",
      "the orientation before it is applied; no error",
      said=["all 20x40"], samples=1, pixels={"a/e.jpg": PILLOW})
def i14_damaged_exif(to):
    bad = b"Exif\0\0II*\0\x08\0\0\0\x02\0" + struct.pack("<HHII", 0x0112, 3, 1, 6)
    bad += struct.pack("<HHII", 0x8769, 4, 0x10000000, 0x7FFFFFFF)
    to.put("a/e.jpg", jpeg(picture(40, 20), exif=bad))


@case("a JPEG with a thumbnail in its EXIF data", "the picture, not the thumbnail",
      said=["all 40x20"], samples=1, pixels={"a/e.jpg": PILLOW})
def i15_thumbnail(to):
    small = photo(16, 12)
    head = b"Exif\0\0MM\0*\0\0\0\x08" + struct.pack(">HIH", 0, 14, 2)
    head += struct.pack(">HHII", 0x0201, 4, 1, 44) + struct.pack(">HHII", 0x0202, 4, 1, len(small))
    to.put("a/e.jpg", jpeg(picture(40, 20), exif=head + struct.pack(">I", 0) + small))


@case("a JPEG of 201 million pixels", "decoded", said=["all 15000x13400"], samples=1)
def i16_201_megapixels(to):
    Image.MAX_IMAGE_PIXELS = None
    to.put("a/slide.jpg", jpeg(Image.linear_gradient("L").resize((15000, 13400))))


def chunk(kind, content):
    checksum = struct.pack(">I", zlib.crc32(kind + content))
    return struct.pack(">I", len(content)) + kind + content + checksum


@case("a PNG with gamma 1.0", "stored values: 128", samples=1,
      pixels={"a/p.png": [[[128] * 3] * 2]})
def i17_gamma(to):
    plain = png(Image.fromarray(np.full((1, 2), 128, np.uint8)))
    to.put("a/p.png", plain[:33] + chunk(b"gAMA", struct.pack(">I", 100000)) + plain[33:])


@case("an animated WebP and an animated PNG", "the first frame, or refused by name", samples=2,
      may_fail={"a/a.webp": "animated WebP"},
      pixels={"a/a.webp": PILLOW, "a/apng.png": PILLOW})
def i18_animated(to):
    options = {"save_all": True, "append_images": [picture(seed=5)]}
    to.put("a/a.webp", file_of(picture(), "WEBP", lossless=True, **options))
    to.put("a/apng.png", png(picture(), **options))


@case("an AVIF file, and 42 bytes that begin like JPEG XL",
      "AVIF is decoded or refused by its name; the other is refused by its name",
      said=["JPEG XL"], samples=3, failures={"a/x.jxl": "JPEG XL"}, may_fail={"a/x.avif": "AVIF"},
      tolerance=8,
      pixels={"a/ok.png": PILLOW, "a/x.avif": PILLOW})
def i19_new_kinds(to):
    to.put("a/x.avif", file_of(picture(), "AVIF", quality=95))
    to.put("a/x.jxl", bytes.fromhex("ff0a") + bytes(40))
    to.put("a/ok.png", png(picture()))


@case("TIFF: two pages, floats, 16 bits, planes, tiles, BigTIFF, a palette",
      "the first page, and what is left out is reported; floats are refused by name",
      said=["floating-point"], samples=7, failures={"a/float32.tif": "floating-point"},
      needs=["tifffile"],
      pixels={"a/multipage.tif": np.asarray(picture()), "a/grey16.tif": GREY16_AS_BYTES,
              "a/planar.tif": np.asarray(picture()), "a/tiled16x48.tif": np.asarray(picture()),
              "a/big.tif": np.asarray(picture()), "a/palette.tif": PILLOW})
def i20_tiff(to):
    import tifffile

    rgb = np.asarray(picture())
    colours = np.random.default_rng(7).integers(0, 65535, (3, 256), np.uint16)

    def write(name, pixels, **options):
        tifffile.imwrite(to.path(f"a/{name}.tif"), pixels, **options)

    write("multipage", np.stack([rgb, rgb[::-1]]), photometric="rgb")
    write("float32", np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4))
    write("grey16", GREY16)
    write("planar", np.moveaxis(rgb, -1, 0), photometric="rgb", planarconfig="separate")
    write("tiled16x48", rgb, photometric="rgb", tile=(48, 16))
    write("big", rgb, photometric="rgb", bigtiff=True)
    write("palette", np.arange(64, dtype=np.uint8).reshape(8, 8), photometric="palette",
          colormap=colours)


@case("frames of GIF, PNG, WebP and TIFF, drawn on each other, with `pages` = `each`",
      "each frame as Pillow shows it", said=["image_folder.pages = each"], samples=4,
      settings=["image_folder.pages=each"],
      pixels={f"a/x.{kind}#{number}": frame for kind in ("gif", "png", "tif", "webp")
              for number, frame in enumerate(map(np.asarray, FRAMES))})
def frames_of_animations(to):
    for kind, options in (("gif", {}), ("png", {}), ("tif", {}), ("webp", {"lossless": True})):
        FRAMES[0].save(to.path(f"a/x.{kind}"), save_all=True, append_images=FRAMES[1:], **options)


@case("TIFF of floats, and of 16 bits in five channels", "their numbers, as f32",
      said=["decoded to the numbers in their files (5 channels)", "Normalise is bypassed"],
      samples=3, needs=["tifffile"])
def numbers_of_tiff(to):
    import tifffile

    bands = np.random.default_rng(3).integers(0, 65535, (20, 30, 5), np.uint16)
    for name, pixels in (("a/u16", bands), ("a/f32", bands.astype("f4") / 7), ("b/f64", bands / 7)):
        tifffile.imwrite(to.path(f"{name}.tif"), pixels, photometric="minisblack",
                         planarconfig="contig")
