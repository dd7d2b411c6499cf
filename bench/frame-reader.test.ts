import { expect, test } from 'vitest';
import { createFrameReader } from './frame-reader.ts';

/** A frame as a server sends it. */
function frame(opcode: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10);
  header[0] = 0x80 | opcode;
  if (header.length === 2) header[1] = payload.length;
  else if (header.length === 4) header.writeUInt16BE(payload.length, 2);
  else header.writeBigUInt64BE(BigInt(payload.length), 2);
  if (header.length > 2) header[1] = header.length === 4 ? 126 : 127;
  return Buffer.concat([header, payload]);
}

const PAYLOADS = [0, 1, 125, 126, 65_535, 65_536, 200_000].map((size) => Buffer.alloc(size, `${size} `));
const STREAM = Buffer.concat([...PAYLOADS.map((payload) => frame(1, payload)), frame(9, Buffer.alloc(0))]);

test.each([1, 2, 3, 1_000, 65_536, STREAM.length])('reads every frame from pieces of %i bytes', (size) => {
  const seen: [number, number, boolean][] = [];
  const read = createFrameReader(true, (opcode, payload) =>
    seen.push([opcode, payload?.length ?? -1, payload?.equals(PAYLOADS[seen.length] ?? Buffer.alloc(0)) ?? false]),
  );
  // One buffer for every piece, as sockets use it.
  const piece = Buffer.alloc(size);
  for (let at = 0; at < STREAM.length; at += size) {
    read(piece.subarray(0, STREAM.copy(piece, 0, at, at + size)));
  }
  expect(seen).toEqual([...PAYLOADS.map(({ length }) => [1, length, true]), [9, 0, true]]);
});

test('a reader without payloads still reports the frames', () => {
  const opcodes: number[] = [];
  createFrameReader(false, (opcode, payload) => {
    expect(payload).toBeUndefined();
    opcodes.push(opcode);
  })(STREAM);
  expect(opcodes).toEqual([...PAYLOADS.map(() => 1), 9]);
});
