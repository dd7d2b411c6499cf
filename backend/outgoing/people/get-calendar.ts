import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { MAX_CALENDAR_TEXT } from '#backend/contract/ladder.ts';
import {
  type Network,
  addressIn,
  addressRules,
  forbiddenAddress,
} from '#backend/outgoing/destinations/address-rule.ts';
import { ForbiddenDestinationError, type PostParts, guardedLookup } from '#backend/outgoing/destinations/post.ts';
import { createDnsResolve, createGuardedAgent } from '#backend/platform/requests/guarded-request.ts';
import { CalendarError } from './read-calendar.ts';

/** From the host name's lookup to the end of the answer, in milliseconds. */
const TOTAL_MS = 20_000;

/** Reads calendars from their addresses. */
export interface GetCalendar {
  /**
   * Redirects are not followed.
   *
   * @throws {CalendarError} with why it could not be read, for people; never with the address, which is a secret
   */
  get(url: string, stopping: AbortSignal): Promise<string>;
  close(): void;
}

/** Reads nothing, wherever a calendar is. */
export const silentCalendars: GetCalendar = {
  get: () => Promise.reject(new CalendarError('This server reads no calendars: it runs with OUTGOING=off.')),
  close: () => undefined,
};

/** @param networks where calendars may be, beside the public internet: the same as for destinations */
export function createGetCalendar(
  networks: readonly Network[],
  { resolve = createDnsResolve(), ca }: PostParts = {},
): GetCalendar {
  const rules = addressRules(networks);
  const httpsAgent = createGuardedAgent(guardedLookup('https:', rules['https:'], resolve), 1, ca);
  const httpAgent = new HttpAgent();
  const httpLookup = guardedLookup('http:', rules['http:'], resolve);

  const read = (url: string, stopping: AbortSignal): Promise<string> => {
    const target = new URL(url);
    const isHttps = target.protocol === 'https:';
    const address = addressIn(target);
    // An address is connected to without a lookup.
    if (address !== undefined && !rules[isHttps ? 'https:' : 'http:'](address)) {
      return Promise.reject(new ForbiddenDestinationError(forbiddenAddress(target, address)));
    }
    const options = {
      headers: { 'User-Agent': 'Alertdesk', Accept: 'text/calendar' },
      signal: AbortSignal.any([stopping, AbortSignal.timeout(TOTAL_MS)]),
    };
    return new Promise((done, failed) => {
      const request = isHttps
        ? httpsRequest(target, { ...options, agent: httpsAgent })
        : httpRequest(target, { ...options, agent: httpAgent, lookup: httpLookup });
      request.on('response', (response) => {
        const { statusCode = 0 } = response;
        if (statusCode !== 200) {
          request.destroy();
          failed(new CalendarError(`The calendar's server answered ${statusCode}${MEANINGS[statusCode] ?? '.'}`));
          return;
        }
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes <= MAX_CALENDAR_TEXT) return;
          request.destroy();
          failed(new CalendarError('The calendar is larger than 2 MB.'));
        });
        response.on('error', failed);
        response.on('end', () => done(Buffer.concat(chunks).toString('utf8')));
      });
      request.on('error', failed);
      request.end();
    });
  };

  return {
    get: (url, stopping) =>
      read(url, stopping).catch((error: unknown) => {
        throw error instanceof CalendarError ? error : new CalendarError(reasonOf(error), { cause: error });
      }),
    close() {
      httpsAgent.destroy();
      httpAgent.destroy();
    },
  };
}

const MEANINGS: Record<number, string> = {
  301: ': it is at another address by now. Enter that one.',
  302: ': it leads to another address. Enter that one.',
  401: ': it asks for a sign-in. Use the secret address of the calendar.',
  403: ': it may not be read. Use the secret address of the calendar.',
  404: ': there is no calendar at this address.',
};

function reasonOf(error: unknown): string {
  if (error instanceof ForbiddenDestinationError) return error.message;
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return `The calendar's server did not answer within ${TOTAL_MS / 1000} s.`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return `The calendar's server could not be reached: ${code}.`;
}
