import { randomInt } from 'node:crypto';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { CHANNEL_CODE_MINUTES, CHANNEL_CODE_TRIES, type OwnChannelSent } from '#backend/contract/own-channel.ts';
import type { OutgoingPayload } from '#backend/contract/outgoing.ts';
import { describeWait } from '#backend/identity/users/sign-in-throttle.ts';
import type { Deliver } from '#backend/outgoing/destinations/deliver.ts';
import type { StoredDestination } from '#backend/outgoing/destinations/destination-entity.ts';
import { SAMPLE_ALERT, contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { GatewayError, openTarget } from '#backend/outgoing/destinations/open-target.ts';
import { type Limiter, type SharedCounts, consume, createLimiter } from '#backend/platform/cluster/limiter.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { tooMany } from '#backend/platform/endpoint/errors.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';

/** A code counts for so long, in milliseconds. */
export const CODE_MS = CHANNEL_CODE_MINUTES * 60_000;

/** Codes that a member has sent within an hour, whatever channels they add and remove: nobody's phone is flooded, nor paid for. */
const CODES_AN_HOUR = 10;
const HOUR_SECONDS = 60 * 60;

/** Counts the codes that members have sent. @param shared where servers count together */
export const createCodeLimit = (shared: SharedCounts | undefined): Limiter =>
  createLimiter('channel-code', CODES_AN_HOUR, HOUR_SECONDS, shared);

/** Dependencies of sending codes. */
export interface CodeDeps {
  codeLimit: Limiter;
  database: Pick<Database, 'reads'>;
  deliver: Deliver;
  sealing: Sealing;
}

/** A code that waits to be entered. */
export interface Confirmation {
  code: string;
  /** Milliseconds since the epoch. */
  until: number;
  /** How often it may still be entered. */
  tries: number;
}

/** A code as it is sealed with the secrets of its channel. */
export const textOf = ({ code, until, tries }: Confirmation): string => `${code} ${until} ${tries}`;

/** A code as {@link textOf} wrote it; undefined for a channel that is confirmed. */
export function readConfirmation(text: string | undefined): Confirmation | undefined {
  if (text === undefined) return undefined;
  const [code = '', until, tries] = text.split(' ');
  return { code, until: Number(until), tries: Number(tries) };
}

/** A code, and what is kept of it with its channel. */
export function newCode(now: number): { code: string; confirmation: string } {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  return { code, confirmation: textOf({ code, until: now + CODE_MS, tries: CHANNEL_CODE_TRIES }) };
}

/** Counts a code that a member wants to have sent, before anything is changed for it. @throws {ProblemError} 429 after too many */
export async function countCode({ codeLimit }: Pick<CodeDeps, 'codeLimit'>, memberId: string): Promise<void> {
  const counted = await consume(codeLimit, memberId);
  if (counted instanceof RateLimiterRes) return;
  const { seconds } = counted;
  throw tooMany(`Too many codes were sent within an hour. Try again in ${describeWait(seconds)}.`, seconds);
}

/** Sends a code that was counted to a channel, and says what became of that. */
export async function sendCode(
  { database, deliver, sealing }: Pick<CodeDeps, 'database' | 'deliver' | 'sealing'>,
  stored: StoredDestination,
  code: string,
): Promise<Omit<OwnChannelSent, 'channel'>> {
  const payload = codeMessage(code);
  const target = await openTarget(database.reads, sealing, stored).catch((error: unknown) => {
    if (error instanceof GatewayError) return error;
    throw error;
  });
  if (target instanceof GatewayError) return { isDelivered: false, message: target.message };
  const { outcome, answer } = await deliver(target, { id: newId(), payload }, new AbortController().signal);
  return outcome === 'sent'
    ? { isDelivered: true, message: 'A code was sent there. Enter it to use the channel.' }
    : { isDelivered: false, message: `The code could not be sent: ${answer}` };
}

const codeMessage = (code: string): OutgoingPayload =>
  contentOf(
    {
      ...SAMPLE_ALERT,
      title: 'Your own channel',
      customer: null,
      alertType: null,
      sourceName: null,
      severity: null,
      receivedAt: Date.now(),
      payload: '{}',
    },
    {
      event: 'note',
      at: Date.now(),
      by: null,
      isTest: true,
      note: { author: 'Alertdesk', text: `Your code is ${code}. Enter it in Settings to be notified here.` },
    },
    undefined,
  );
