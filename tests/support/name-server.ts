import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';

/** A name server on this machine. */
export interface NameServer {
  /** As a resolver takes it. */
  address: string;
  close(): Promise<void>;
}

const HEADER_SIZE = 12;
const TYPES = { 4: 1, 6: 28 } as const;

/** Starts a name server that knows these names and their addresses, and says of any other that there is none. */
export async function startNameServer(names: Record<string, string[]>): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => socket.send(answerTo(query, names), from.port, from.address));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** One question of one name, as resolvers send it (RFC 1035 section 4). */
function answerTo(query: Buffer, names: Record<string, string[]>): Buffer {
  const labels: string[] = [];
  let at = HEADER_SIZE;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
    at += 1 + size;
  }
  const question = query.subarray(HEADER_SIZE, at + 5);
  const type = query.readUInt16BE(at + 1);
  const known = names[labels.join('.').toLowerCase()];
  const fitting = (known ?? []).filter((address) => TYPES[isIP(address) as 4 | 6] === type);

  const header = Buffer.alloc(HEADER_SIZE);
  query.copy(header, 0, 0, 2);
  // An answer, with recursion; 3 is "no such name".
  header.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(fitting.length, 6);
  return Buffer.concat([header, question, ...fitting.map((address) => recordOf(type, address))]);
}

/** A record for the name in the question, good for no time. */
function recordOf(type: number, address: string): Buffer {
  const data = isIP(address) === 4 ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));

function ipv6Bytes(address: string): Buffer {
  const [before = '', after = ''] = address.split('::');
  const [first, last] = [groups(before), groups(after)];
  const bytes = Buffer.alloc(16);
  for (const [index, group] of first.entries()) bytes.writeUInt16BE(group, index * 2);
  for (const [index, group] of last.entries()) bytes.writeUInt16BE(group, 16 - (last.length - index) * 2);
  return bytes;
}
