/** One size of an icon: its pixels as RGBA rows from the top, and the same as PNG. */
export interface IconImage {
  size: number;
  rgba: Uint8Array;
  png: Uint8Array;
}

const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;
const BITMAP_HEADER_BYTES = 40;

/** The size from which Windows reads PNG in icons; its older parts and NSIS want bitmaps for what is smaller. */
const PNG_FROM = 256;

/** Packs sizes of one picture into an `.ico` file. */
export function encodeIco(images: readonly IconImage[]): Buffer {
  const bodies = images.map((image) => (image.size >= PNG_FROM ? Buffer.from(image.png) : bitmap(image)));
  const header = Buffer.alloc(HEADER_BYTES + ENTRY_BYTES * images.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let offset = header.length;
  for (const [index, { size }] of images.entries()) {
    const entry = HEADER_BYTES + ENTRY_BYTES * index;
    const { length } = bodies[index] ?? Buffer.alloc(0);
    // 0 stands for 256.
    header.writeUInt8(size % 256, entry);
    header.writeUInt8(size % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += length;
  }
  return Buffer.concat([header, ...bodies]);
}

/** A bitmap as icons hold it: rows from the bottom, BGRA, and a mask of one bit a pixel, which transparency replaces. */
function bitmap({ size, rgba }: IconImage): Buffer {
  const maskRow = Math.ceil(size / 32) * 4;
  const body = Buffer.alloc(BITMAP_HEADER_BYTES + size * size * 4 + maskRow * size);
  body.writeUInt32LE(BITMAP_HEADER_BYTES, 0);
  body.writeInt32LE(size, 4);
  // Pixels and mask count both.
  body.writeInt32LE(size * 2, 8);
  body.writeUInt16LE(1, 12);
  body.writeUInt16LE(32, 14);
  body.writeUInt32LE(size * size * 4, 20);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const from = (row * size + column) * 4;
      const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(from, from + 4);
      body.set([blue, green, red, alpha], BITMAP_HEADER_BYTES + ((size - 1 - row) * size + column) * 4);
    }
  }
  return body;
}
