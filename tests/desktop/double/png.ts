import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Bytes of a pixel. */
const [RGB, RGBA] = [3, 4];

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads a PNG of 8-bit red, green, blue and, where it has it, alpha: the kind that images of ours and screenshots are. */
export function decodePng(png: Buffer): { width: number; height: number; rgba: Buffer } {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('This is not a PNG.');
  const data: Buffer[] = [];
  let header: Buffer | undefined;
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + length);
    if (png.readUInt32BE(at + 8 + length) !== crc32(png.subarray(at + 4, at + 8 + length))) {
      throw new Error(`The chunk ${type} is damaged.`);
    }
    if (type === 'IHDR') header = content;
    if (type === 'IDAT') data.push(content);
    at += 12 + length;
  }
  const bytes = header?.[9] === 6 ? RGBA : header?.[9] === 2 ? RGB : 0;
  if (!header || header[8] !== 8 || bytes === 0 || header[12] !== 0)
    throw new Error('Only 8-bit RGB and RGBA are read here.');
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const pixels = unfilter(inflateSync(Buffer.concat(data)), width * bytes, height, bytes);
  return { width, height, rgba: bytes === RGBA ? pixels : withAlpha(pixels) };
}

function withAlpha(rgb: Buffer): Buffer {
  const rgba = Buffer.alloc((rgb.length / RGB) * RGBA, 0xff);
  for (let from = 0, to = 0; from < rgb.length; from += RGB, to += RGBA) rgb.copy(rgba, to, from, from + RGB);
  return rgba;
}

function unfilter(filtered: Buffer, rowBytes: number, height: number, bytes: number): Buffer {
  const pixels = Buffer.alloc(rowBytes * height);
  for (let row = 0; row < height; row += 1) {
    const from = row * (rowBytes + 1);
    const filter = filtered[from];
    for (let byte = 0; byte < rowBytes; byte += 1) {
      const at = row * rowBytes + byte;
      const left = byte >= bytes ? (pixels[at - bytes] ?? 0) : 0;
      const above = row > 0 ? (pixels[at - rowBytes] ?? 0) : 0;
      const corner = byte >= bytes && row > 0 ? (pixels[at - rowBytes - bytes] ?? 0) : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter ?? 0] ?? 0;
      pixels[at] = (filtered[from + 1 + byte] ?? 0) + guess;
    }
  }
  return pixels;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((value) => Math.abs(guess - value)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** Writes one. */
export function encodePng(width: number, height: number, rgba: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, row) =>
    Buffer.concat([Buffer.from([0]), rgba.subarray(row * width * 4, (row + 1) * width * 4)]),
  );
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
