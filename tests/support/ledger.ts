import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';

/** What was sent, what was answered, and what else came back. */
export interface Ledger {
  attempted: number;
  /** Ids that were answered as stored. */
  acknowledged: string[];
  /** How many were answered with 503 and `Retry-After`. */
  refused: number;
  /** Answers that may not come. */
  unexpected: string[];
  /** The longest wait for an answer, in milliseconds. */
  longestMs: number;
}

export const newLedger = (): Ledger => ({ attempted: 0, acknowledged: [], refused: 0, unexpected: [], longestMs: 0 });

/** The ledger in one line. */
export const reportOf = ({ attempted, acknowledged, refused, longestMs }: Ledger): string =>
  `${attempted} attempted, ${acknowledged.length} acknowledged, ${refused} refused, longest wait ${Math.round(longestMs)} ms`;

/** The database is what is tested, not how much can be sent. */
const PAUSE_MS = 10;

/**
 * Sends again and again until the signal, and notes what came back.
 *
 * @param created status that acknowledges, with an id in its body
 */
export async function keepSending(
  ledger: Ledger,
  signal: AbortSignal,
  created: 201 | 202,
  send: (number: number) => Promise<Response>,
): Promise<void> {
  while (!signal.aborted) {
    ledger.attempted += 1;
    const startedAt = performance.now();
    const response = await send(ledger.attempted);
    const text = await response.text();
    ledger.longestMs = Math.max(ledger.longestMs, performance.now() - startedAt);
    if (response.status === created) ledger.acknowledged.push((JSON.parse(text) as { id: string }).id);
    else if (response.status === 503 && Number(response.headers.get('Retry-After')) > 0) ledger.refused += 1;
    else ledger.unexpected.push(`${response.status} ${text}`);
    await delay(PAUSE_MS);
  }
}

/** As {@link keepSending} with emails, which are acknowledged by their subjects, and put off for lack of room. */
export async function keepMailing(
  ledger: Ledger,
  signal: AbortSignal,
  port: number,
  write: (number: number) => { to: string; subject: string; text: string },
): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  while (!signal.aborted) {
    ledger.attempted += 1;
    const mail = write(ledger.attempted);
    const startedAt = performance.now();
    try {
      await transport.sendMail({ from: 'monitor@example.com', ...mail });
      ledger.acknowledged.push(mail.subject);
    } catch (error) {
      const answer = (error as { response?: string }).response ?? String(error);
      if (/^45[12] 4\.3\./.test(answer)) ledger.refused += 1;
      // The rate of one sender's emails is limited.
      else if (!answer.startsWith('451 4.7.1 ')) ledger.unexpected.push(answer);
    }
    ledger.longestMs = Math.max(ledger.longestMs, performance.now() - startedAt);
    await delay(PAUSE_MS);
  }
}
