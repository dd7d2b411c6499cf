import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { encodeIco } from './encode-ico.ts';
import { ICON } from './installer-config.ts';

/** The sizes in an icon, and how each is written. */
function readIco(file: Buffer): { size: number; form: 'bitmap' | 'png' }[] {
  expect([file.readUInt16LE(0), file.readUInt16LE(2)]).toEqual([0, 1]);
  let end = 6 + 16 * file.readUInt16LE(4);
  const images = Array.from({ length: file.readUInt16LE(4) }, (_, index) => {
    const entry = 6 + 16 * index;
    const [length, offset] = [file.readUInt32LE(entry + 8), file.readUInt32LE(entry + 12)];
    expect(offset).toBe(end);
    end += length;
    const size = file.readUInt8(entry) || 256;
    const isPng = file.subarray(offset + 1, offset + 4).toString() === 'PNG';
    const width = isPng ? file.readUInt32BE(offset + 16) : file.readInt32LE(offset + 4);
    const height = isPng ? file.readUInt32BE(offset + 20) : file.readInt32LE(offset + 8) / 2;
    expect([width, height]).toEqual([size, size]);
    return { size, form: isPng ? ('png' as const) : ('bitmap' as const) };
  });
  expect(file).toHaveLength(end);
  return images;
}

test("the app's icon has every size that Windows shows, the big one as PNG", async () => {
  const images = readIco(await readFile(ICON));
  expect(images.map(({ size }) => size)).toEqual([16, 20, 24, 32, 40, 48, 64, 96, 256]);
  expect(images.filter(({ form }) => form === 'png').map(({ size }) => size)).toEqual([256]);
});

test('a bitmap has its rows from the bottom and its colours as BGRA', () => {
  const rgba = Uint8Array.from([1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255, 10, 11, 12, 128]);
  const file = encodeIco([{ size: 2, rgba, png: new Uint8Array() }]);
  expect(readIco(file)).toEqual([{ size: 2, form: 'bitmap' }]);
  expect([...file.subarray(62, 78)]).toEqual([9, 8, 7, 255, 12, 11, 10, 128, 3, 2, 1, 255, 6, 5, 4, 255]);
});
