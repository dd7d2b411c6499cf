import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BEGINNING_BYTES, readBeginning } from './read-body.ts';

const requestOf = (bytes: Buffer, encoding?: string): IncomingMessage =>
  Object.assign(Readable.from([bytes], { objectMode: false }), {
    headers: { 'content-length': String(bytes.length), ...(encoding && { 'content-encoding': encoding }) },
  }) as unknown as IncomingMessage;

const beginningOf = (bytes: Buffer, encoding?: string) => readBeginning(requestOf(bytes, encoding));

const ENCODINGS: [string, string | undefined, (text: Buffer) => Buffer][] = [
  ['nothing', undefined, (text) => text],
  ['gzip', 'gzip', gzipSync],
  ['deflate', 'deflate', deflateSync],
  ['deflate without a header', 'deflate', deflateRawSync],
  ['br', 'br', brotliCompressSync],
  ['zstd', 'zstd', zstdCompressSync],
];

describe.each(ENCODINGS)('a body that is compressed with %s', (_, encoding, compress) => {
  test('is whole when it is short', async () => {
    const text = '{"routing_key":"some key"}';
    const beginning = await beginningOf(compress(Buffer.from(text)), encoding);
    expect(beginning).toMatchObject({ text, isWhole: true });
  });

  test('is inflated no further than its beginning', async () => {
    const { text, isWhole } = await beginningOf(compress(Buffer.alloc(1_000_000, 'a')), encoding);
    expect([text, isWhole]).toEqual(['a'.repeat(BEGINNING_BYTES), false]);
  });

  test('may end within a character', async () => {
    const { text } = await beginningOf(compress(Buffer.from(`a${'ü'.repeat(BEGINNING_BYTES)}`)), encoding);
    expect(text).toBe(`a${'ü'.repeat(BEGINNING_BYTES / 2 - 1)}`);
  });
});

test.each(['gzip', 'br', 'zstd'])('what is no %s has no beginning', async (encoding) => {
  expect((await beginningOf(Buffer.from('not compressed at all'), encoding)).text).toBe('');
});

test('an unknown encoding is 415', async () => {
  await expect(beginningOf(Buffer.from('x'), 'compress')).rejects.toMatchObject({ status: 415 });
});
