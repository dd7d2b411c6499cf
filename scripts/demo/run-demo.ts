import { setTimeout as delay } from 'node:timers/promises';
import { createDemoSources } from './demo-sources.ts';
import type { DemoOptions } from './options.ts';
import { type Poster, createPoster } from './post-alert.ts';
import { createRandom } from './random.ts';
import { readRequests } from './read-requests.ts';
import { sendMails } from './send-mails.ts';
import { SENDER_NAMES, createStream } from './senders.ts';
import type { SignedInClient } from './signed-in-client.ts';
import { type Tally, createTally } from './tally.ts';
import type { WebhookRequest } from './webhook-request.ts';

/** How often the running line is renewed, in milliseconds: on a terminal, and in a log. */
const LINE_EVERY = { terminal: 250, log: 5_000 };

/**
 * Sends the alerts that the options ask for, to sources of its own that are removed at the end whatever happens.
 *
 * @param signal ends it early, as Ctrl+C does
 * @param smtpPort where the server receives emails; undefined where it does not
 * @throws {Complaint} saying why it could not go on; what was sent has been reported by then
 */
export async function runDemo(
  options: DemoOptions,
  client: SignedInClient,
  signal: AbortSignal,
  smtpPort?: number,
): Promise<void> {
  const recorded = options.mode.kind === 'from' ? await readRequests(options.mode.folder) : [];
  const tally = createTally(options.ledger);
  const senders = options.sender === undefined ? SENDER_NAMES : [options.sender];
  const isMix = options.sender === undefined && options.mode.kind !== 'from';
  const mailed = isMix && smtpPort !== undefined ? ['email'] : [];
  const sources = await createDemoSources(client, options.mode.kind === 'from' ? ['Files'] : [...senders, ...mailed]);
  const address = sources.mailAddressOf('email');
  const mails =
    address === null || smtpPort === undefined
      ? undefined
      : sendMails(
          { host: options.url.hostname.replace(/^\[|\]$/g, ''), port: smtpPort, address },
          options.seed,
          signal,
        );
  const poster = createPoster({
    url: options.url,
    authenticate: sources.authenticate,
    connections: options.concurrency,
    tally,
    signal,
  });
  const stopReporting = reportProgress(tally);
  try {
    await send(options, { poster, recorded, signal });
  } finally {
    poster.close();
    stopReporting();
    console.log(tally.summary());
    if (mails) console.log(await mails);
    tally.close();
    await sources.remove();
  }
}

async function send(
  { mode, seed, concurrency, sender }: DemoOptions,
  { poster, recorded, signal }: { poster: Poster; recorded: WebhookRequest[]; signal: AbortSignal },
): Promise<void> {
  const stream = createStream(createRandom(seed), sender);
  const next = () => stream(new Date());
  if (mode.kind === 'steady') return sendSteadily(mode.rate, next, poster, signal);
  const alerts = mode.kind === 'burst' ? takeUntil(mode.count, next) : recorded.values();
  // All workers take from one iterator: when one of them gives up, leaving its loop ends it for the others.
  const work = async () => {
    for (const alert of alerts) {
      if (signal.aborted) return;
      const status = await poster.post(alert);
      if (mode.kind === 'from') console.log(`${status}  ${alert.sender}`);
    }
  };
  const results = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}

function* takeUntil<T>(count: number, next: () => T): Generator<T> {
  for (let taken = 0; taken < count; taken += 1) yield next();
}

/** Sends at an average rate, spaced as unevenly as chance does it, without waiting for answers. */
async function sendSteadily(
  rate: number,
  next: () => WebhookRequest,
  poster: Poster,
  signal: AbortSignal,
): Promise<void> {
  const inFlight = new Set<Promise<unknown>>();
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  let due = performance.now();
  while (!stop.aborted) {
    const sending = poster.post(next()).then(undefined, (error: unknown) => failed.abort(error));
    inFlight.add(sending);
    void sending.then(() => inFlight.delete(sending));
    due = Math.max(due + (-Math.log(1 - Math.random()) * 1000) / rate, performance.now());
    await delay(Math.max(0, due - performance.now()), undefined, { signal: stop }).catch(() => {});
  }
  await Promise.all(inFlight);
  if (failed.signal.aborted) throw failed.signal.reason;
}

function reportProgress(tally: Tally): () => void {
  const { isTTY } = process.stdout;
  const print = () => process.stdout.write(isTTY ? `\r\u001B[2K${tally.line()}` : `${tally.line()}\n`);
  const timer = setInterval(print, isTTY ? LINE_EVERY.terminal : LINE_EVERY.log);
  return () => {
    clearInterval(timer);
    if (isTTY) process.stdout.write('\r\u001B[2K');
  };
}
