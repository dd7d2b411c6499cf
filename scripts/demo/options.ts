import { parseArgs } from 'node:util';
import { Complaint } from '#scripts/complaint.ts';
import { SENDER_NAMES, type Sender } from './senders.ts';

/** How `npm run demo` was called. */
export interface DemoOptions {
  url: URL;
  /** A steady stream, a burst as fast as the server takes it, or the request files of a folder once each. */
  mode: { kind: 'steady'; rate: number } | { kind: 'burst'; count: number } | { kind: 'from'; folder: string };
  /** How many requests may be in flight at once in a burst. */
  concurrency: number;
  /** The same seed gives the same alerts. */
  seed: number;
  /** The only sender that is played; undefined for a mix of all. */
  sender: Sender | undefined;
  /** File that gets the id of every acknowledged alert, one per line, at the moment of its acknowledgement. */
  ledger: string | undefined;
  /** Of the administrator's second step; undefined where there is none. */
  code: string | undefined;
}

/** Widest line of the help. */
const WIDTH = 110;

/** Names with commas, in lines that fit. */
const lines = (names: readonly string[]): string =>
  names.join(', ').replaceAll(new RegExp(`(.{1,${WIDTH}})(, |$)`, 'g'), (_, line, end) => line + (end && ',\n  '));

/** What `npm run demo -- --help` says. */
export const USAGE = `Sends made-up alerts, as real systems would, to a running Alertdesk.

npm run demo                      a steady stream, one alert per second, until Ctrl+C
npm run demo -- --rate 5          five alerts per second
npm run demo -- --burst 1000      a thousand alerts as fast as the server takes them
npm run demo -- --from DIR        every request file (*.json) of a folder, once

--url URL          the server; default http://127.0.0.1:4400
--concurrency N    requests in flight at once in a burst; default 64
--seed N           the same seed gives the same alerts; default: another one each time
--sender NAME      one sender only, of those below
--ledger FILE      writes the id of every acknowledged alert to a file, one per line; the Events API v2 answers without
--code CODE        of the administrator's authenticator app, or a recovery code, where there is a second step

Senders: ${lines(SENDER_NAMES)}.
"generic" is a shop with JSON of its own.

Signs in with ADMIN_EMAIL and ADMIN_PASSWORD (environment or .env), else with the generated password while it has never
been changed. Makes a source for each sender, which proves itself as it really does (a key in a header or in the body,
basic authentication, a token in the address, a signature), and removes the sources at the end.

Where the server receives emails and SMTP_PORT (environment or .env) is its port, a few emails come besides: problems
that begin, a reply, and their ends.`;

/**
 * Reads the command line.
 *
 * @returns undefined when help was asked for
 * @throws {Complaint} naming the option, its value and what is allowed
 */
export function readOptions(args: string[], randomSeed: () => number): DemoOptions | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const modes = [values.burst, values.from, values.rate].filter((value) => value !== undefined);
  if (modes.length > 1) throw new Complaint('Choose one of --rate, --burst and --from.');
  return {
    url: readUrl(values.url),
    mode: readMode(values),
    concurrency: whole('--concurrency', values.concurrency ?? '64', 1, 1_000),
    seed: values.seed === undefined ? randomSeed() : whole('--seed', values.seed, 0, 4_294_967_295),
    sender: readSender(values.sender),
    ledger: values.ledger,
    code: values.code,
  };
}

interface Values {
  url?: string;
  rate?: string;
  burst?: string;
  from?: string;
  concurrency?: string;
  seed?: string;
  sender?: string;
  ledger?: string;
  code?: string;
  help?: boolean;
}

function parse(args: string[]): Values {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args,
      options: {
        url: text,
        rate: text,
        burst: text,
        from: text,
        concurrency: text,
        seed: text,
        sender: text,
        ledger: text,
        code: text,
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error);
    throw new Complaint(`${reason.replace(/\.$/, '')}; "npm run demo -- --help" lists the options.`, {
      cause: error,
    });
  }
}

function readMode({ burst, from, rate }: Values): DemoOptions['mode'] {
  if (burst !== undefined) return { kind: 'burst', count: whole('--burst', burst, 1, 10_000_000) };
  if (from !== undefined) return { kind: 'from', folder: from };
  const perSecond = Number(rate ?? '1');
  if (!(perSecond > 0 && perSecond <= 1_000)) {
    throw new Complaint(`--rate has the value "${rate}", but allowed is a number above 0, up to 1000 per second.`);
  }
  return { kind: 'steady', rate: perSecond };
}

function readSender(name: string | undefined): Sender | undefined {
  const found = SENDER_NAMES.find((known) => known === name);
  if (found !== undefined || name === undefined) return found;
  throw new Complaint(`--sender has the value "${name}", but allowed is one of ${SENDER_NAMES.join(', ')}.`);
}

function readUrl(text = 'http://127.0.0.1:4400'): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new Complaint(`--url has the value "${text}", but allowed is an address such as http://127.0.0.1:4400.`);
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Complaint(`${name} has the value "${text}", but allowed is a whole number from ${least} to ${most}.`);
}
