import { hash } from 'node:crypto';
import { newId } from '#backend/platform/database/ids.ts';
import { type LoggedRequest, type Sharing, isOwnLength } from './delivery-row.ts';

/** A request that deliveries share is made again after this time, in milliseconds, so that old ones can be deleted. */
export const SHARED_FOR_MS = 60 * 60 * 1000;

/** Sources whose last requests are remembered, and how many of each. */
const MAX_SOURCES = 200;
const MAX_OF_SOURCE = 4;

interface Remembered {
  digest: string;
  sharedId: string | undefined;
  since: number;
}

/**
 * Remembers the last requests of each source, in memory and by their digests, and recognises the next one like them.
 * From the second of a kind on, what they have in common is stored once: most senders repeat the same address and
 * headers with every alert, which are more than all else that the log keeps of it.
 */
export function createSharedRequests(
  writeShared: (request: LoggedRequest) => string,
): (request: LoggedRequest) => Sharing | undefined {
  const sources = new Map<string, Remembered[]>();

  const remember = (sourceId: string, known: Remembered[], one: Remembered) => {
    known.unshift(one);
    if (known.length > MAX_OF_SOURCE) known.pop();
    sources.delete(sourceId);
    sources.set(sourceId, known);
    const [oldest] = sources.keys();
    if (sources.size > MAX_SOURCES && oldest !== undefined) sources.delete(oldest);
  };

  return (request) => {
    if (!request.source) return undefined;
    const { id: sourceId } = request.source;
    const digest = digestOf(request);
    const known = sources.get(sourceId) ?? [];
    const found = known.find((one) => one.digest === digest);
    if (!found) {
      remember(sourceId, known, { digest, sharedId: undefined, since: request.receivedAt });
      return undefined;
    }
    const age = request.receivedAt - found.since;
    if (found.sharedId !== undefined && age >= 0 && age < SHARED_FOR_MS) return { id: found.sharedId, made: undefined };
    const made = { id: newId(), sourceId, facts: writeShared(request) };
    found.sharedId = made.id;
    found.since = request.receivedAt;
    return { id: made.id, made };
  };
}

/** The same for requests that differ in nothing that is shared. It holds no secret, which the headers do. */
function digestOf(request: LoggedRequest): string {
  const { target, method, status, sender, recognisedBy, secrets, rawHeaders, size } = request;
  // No header and no address has this character.
  let text = [target, method, status, sender, recognisedBy, secrets.length, ...secrets].join('\0');
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    text += `\0${name}\0${isOwnLength(name, value, size) ? '' : value}`;
  }
  return hash('sha256', text, 'base64');
}
