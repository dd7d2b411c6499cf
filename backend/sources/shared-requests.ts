import { newId } from '#backend/database/ids.ts';
import { type LoggedRequest, type Sharing, isOwnLength } from './delivery-row.ts';

/** A request that deliveries share is made again after this time, in milliseconds, so that old ones can be deleted. */
export const SHARED_FOR_MS = 60 * 60 * 1000;

/** Sources whose last requests are remembered, and how many of each. */
const MAX_SOURCES = 200;
const MAX_OF_SOURCE = 4;
/** Longest headers and address that are remembered, in characters. */
const MAX_LENGTH = 4_000;

interface Remembered {
  request: LoggedRequest;
  sharedId: string | undefined;
  since: number;
}

/**
 * Remembers the last requests of each source, as received and in memory alone, and recognises the next one like them.
 * From the second of a kind on, what they have in common is stored once: most senders repeat the same address and
 * headers with every alert, which are more than all else that the log keeps of it.
 */
export function createSharedRequests(
  writeShared: (request: LoggedRequest) => string,
): (request: LoggedRequest) => Sharing | undefined {
  const sources = new Map<string, Remembered[]>();

  const remember = (sourceId: string, known: Remembered[], request: LoggedRequest) => {
    if (lengthOf(request) > MAX_LENGTH) return;
    known.unshift({ request: withoutTexts(request), sharedId: undefined, since: request.receivedAt });
    if (known.length > MAX_OF_SOURCE) known.pop();
    sources.delete(sourceId);
    sources.set(sourceId, known);
    const [oldest] = sources.keys();
    if (sources.size > MAX_SOURCES && oldest !== undefined) sources.delete(oldest);
  };

  return (request) => {
    if (!request.source) return undefined;
    const { id: sourceId } = request.source;
    const known = sources.get(sourceId) ?? [];
    const found = known.find((one) => isLike(one.request, request));
    if (!found) {
      remember(sourceId, known, request);
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

function isLike(one: LoggedRequest, other: LoggedRequest): boolean {
  const [headers, others] = [one.rawHeaders, other.rawHeaders];
  if (
    headers.length !== others.length ||
    one.target !== other.target ||
    one.method !== other.method ||
    one.status !== other.status ||
    one.sender !== other.sender ||
    one.recognisedBy !== other.recognisedBy ||
    one.secrets.length !== other.secrets.length ||
    one.secrets.some((secret, index) => secret !== other.secrets[index])
  ) {
    return false;
  }
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]];
    const otherValue = others[index + 1] ?? '';
    if (name !== others[index]) return false;
    const isSame =
      isOwnLength(name, value, one.size) === isOwnLength(name, otherValue, other.size) &&
      (value === otherValue || isOwnLength(name, value, one.size));
    if (!isSame) return false;
  }
  return true;
}

const lengthOf = ({ target, rawHeaders }: LoggedRequest): number =>
  rawHeaders.reduce((sum, text) => sum + text.length, target.length);

/** What stays in memory. */
const withoutTexts = (request: LoggedRequest): LoggedRequest => ({
  ...request,
  body: null,
  summary: '',
  results: [],
});
