import { type AlertSeverity, alertSeveritySchema } from '#backend/contract/alert.ts';
import type { Fact } from './fact.ts';

/** Facts of one chunk at most. */
export const CHUNK_FACTS = 1_024;

/** Names that facts share. The first is that of alerts without one. */
type Names = (string | null)[];

/**
 * The facts of a range of alerts, in columns: a fact takes 65 bytes, and a million of them are gone through in
 * milliseconds. Names are numbers of the tables beside. A time that there is not is NaN.
 */
export interface Chunk {
  size: number;
  customers: Names;
  alertTypes: Names;
  sources: Names;
  owners: Names;
  windows: Names;
  receivedAt: Float64Array;
  acceptMs: Float64Array;
  completeMs: Float64Array;
  /** Numbers of problems, which are whole. */
  problem: Float64Array;
  repeats: Uint32Array;
  customer: Uint16Array;
  alertType: Uint16Array;
  source: Uint16Array;
  owner: Uint16Array;
  window: Uint16Array;
  flapped: Uint16Array;
  /** Bits 0 to 2: number of the severity; bit 3: resolved before anyone accepted it. */
  kind: Uint8Array;
  /** 16 bytes each. */
  ids: Buffer;
}

export const SEVERITIES: readonly AlertSeverity[] = alertSeveritySchema.options;
export const SEVERITY_BITS = 7;
export const RESOLVED_FIRST = 8;

/** Raised when chunks are laid out in another way. */
const VERSION = 3;
/** Chunks know repeats, windows, and problems from this version on, */
const NOISE_VERSION = 2;
/** and from this one on what flapped. */
const FLAPPED_VERSION = 3;

const TABLES = ['customers', 'alertTypes', 'sources', 'owners', 'windows'] as const;
const TIMES = ['receivedAt', 'acceptMs', 'completeMs'] as const;
const NUMBERS = ['customer', 'alertType', 'source', 'owner'] as const;

/** Puts facts into columns, in the order in which they are given; at most {@link CHUNK_FACTS}. */
export function encodeChunk(facts: readonly Fact[]): Buffer {
  const tables = {
    customers: tableOf(),
    alertTypes: tableOf(),
    sources: tableOf(),
    owners: tableOf(),
    windows: tableOf(),
  };
  const size = facts.length;
  const columns = {
    receivedAt: Float64Array.from(facts, ({ receivedAt }) => receivedAt),
    acceptMs: Float64Array.from(facts, ({ acceptMs }) => acceptMs ?? Number.NaN),
    completeMs: Float64Array.from(facts, ({ completeMs }) => completeMs ?? Number.NaN),
    problem: Float64Array.from(facts, ({ problem }) => problem),
    repeats: Uint32Array.from(facts, ({ repeats }) => repeats),
    customer: Uint16Array.from(facts, ({ customer }) => tables.customers.numberOf(customer)),
    alertType: Uint16Array.from(facts, ({ alertType }) => tables.alertTypes.numberOf(alertType)),
    source: Uint16Array.from(facts, ({ sourceId }) => tables.sources.numberOf(sourceId)),
    owner: Uint16Array.from(facts, ({ ownerId }) => tables.owners.numberOf(ownerId)),
    window: Uint16Array.from(facts, ({ window }) => tables.windows.numberOf(window)),
    flapped: Uint16Array.from(facts, ({ flapped }) => flapped),
    kind: Uint8Array.from(
      facts,
      ({ severity, isResolvedFirst }) => SEVERITIES.indexOf(severity) | (isResolvedFirst ? RESOLVED_FIRST : 0),
    ),
  };
  const names = Object.fromEntries(TABLES.map((table) => [table, tables[table].names]));
  const head = Buffer.from(JSON.stringify({ version: VERSION, size, ...names }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  const bytes = Object.values(columns).map(({ buffer }) => Buffer.from(buffer));
  const ids = Buffer.from(facts.map(({ id }) => id.replaceAll('-', '')).join(''), 'hex');
  return Buffer.concat([length, head, ...bytes, ids]);
}

function tableOf(): { names: Names; numberOf(name: string | null): number } {
  const names: Names = [null];
  const numbers = new Map<string | null, number>([[null, 0]]);
  return {
    names,
    numberOf(name) {
      const known = numbers.get(name);
      if (known !== undefined) return known;
      numbers.set(name, names.length);
      return names.push(name) - 1;
    },
  };
}

/** @throws {Error} when the bytes are a chunk of another version. */
export function decodeChunk(data: Uint8Array): Chunk {
  // A copy that begins on a multiple of eight bytes, as columns of 64 bits must.
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const start = 4 + view.getUint32(0, true);
  const head: { version: number; size: number } & Record<(typeof TABLES)[number], Names> = JSON.parse(
    Buffer.from(data.subarray(4, start)).toString(),
  );
  const { version, size } = head;
  if (!(version >= 1 && version <= VERSION)) throw new Error(`A chunk of insight has version ${version}.`);
  const bytes = Uint8Array.from(data.subarray(start)).buffer;
  let at = 0;
  const next = (width: number) => {
    at += size * width;
    return at - size * width;
  };
  const times = Object.fromEntries(TIMES.map((name) => [name, new Float64Array(bytes, next(8), size)]));
  const hasNoise = version >= NOISE_VERSION;
  const problem = hasNoise ? new Float64Array(bytes, next(8), size) : new Float64Array(size);
  const repeats = hasNoise ? new Uint32Array(bytes, next(4), size) : new Uint32Array(size);
  // After the columns of 64 and 32 bits.
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, new Uint16Array(bytes, next(2), size)]));
  const window = hasNoise ? new Uint16Array(bytes, next(2), size) : new Uint16Array(size);
  const flapped = version >= FLAPPED_VERSION ? new Uint16Array(bytes, next(2), size) : new Uint16Array(size);
  return {
    ...head,
    windows: hasNoise ? head.windows : [null],
    problem,
    repeats,
    window,
    flapped,
    ...(times as Pick<Chunk, (typeof TIMES)[number]>),
    ...(numbers as Pick<Chunk, (typeof NUMBERS)[number]>),
    kind: new Uint8Array(bytes, next(1), size),
    ids: Buffer.from(bytes, next(16), size * 16),
  };
}

const timeOf = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

/** Hex digits of an id without its hyphens. */
const ID_DIGITS = 32;

/** An id as chunks hold it, in hex; in this form ids have the same order. */
export const bareId = (id: string): string => id.replaceAll('-', '');

/** The id at a place of a chunk, with hyphens. */
export function idAt(chunk: Pick<Chunk, 'ids'>, at: number): string {
  const hex = chunk.ids.toString('hex', at * 16, at * 16 + 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Where alerts stand in a chunk, by their {@link bareId}s. */
export function placesOf({ ids, size }: Pick<Chunk, 'ids' | 'size'>): Map<string, number> {
  const hex = ids.toString('hex');
  return new Map(Array.from({ length: size }, (_, at) => [hex.slice(at * ID_DIGITS, at * ID_DIGITS + ID_DIGITS), at]));
}

/** The facts of a chunk, in its order. */
export function factsOf(chunk: Chunk): Fact[] {
  return Array.from({ length: chunk.size }, (_, at) => {
    const kind = chunk.kind[at] ?? 0;
    return {
      id: idAt(chunk, at),
      receivedAt: chunk.receivedAt[at] ?? 0,
      severity: SEVERITIES[kind & SEVERITY_BITS] ?? 'none',
      customer: chunk.customers[chunk.customer[at] ?? 0] ?? null,
      alertType: chunk.alertTypes[chunk.alertType[at] ?? 0] ?? null,
      sourceId: chunk.sources[chunk.source[at] ?? 0] ?? null,
      ownerId: chunk.owners[chunk.owner[at] ?? 0] ?? null,
      acceptMs: timeOf(chunk.acceptMs[at]),
      completeMs: timeOf(chunk.completeMs[at]),
      isResolvedFirst: (kind & RESOLVED_FIRST) !== 0,
      repeats: chunk.repeats[at] ?? 0,
      flapped: chunk.flapped[at] ?? 0,
      window: chunk.windows[chunk.window[at] ?? 0] ?? null,
      problem: chunk.problem[at] ?? 0,
    };
  });
}
