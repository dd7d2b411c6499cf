import { Resolver } from 'node:dns/promises';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import type { DKIMResult, DNSResolver } from 'mailauth';
import { evaluateDmarc } from 'mailauth/lib/dmarc/index.js';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { spf } from 'mailauth/lib/spf/index.js';

/** Asks the DNS, as Node's `resolve` does. */
export type ResolveDns = DNSResolver;

/** How one check ended: a result of RFC 8601 section 2.7, or `not checked`. */
export interface MailCheck {
  result: string;
  /** Whose it is: the domain that was checked. */
  domain: string | null;
}

/** What the DNS says of who sent an email. It is shown, and decides nothing. */
export interface MailAuthentication {
  spf: MailCheck;
  dkim: MailCheck;
  dmarc: MailCheck;
}

/** Who handed the message over. */
export interface MailClient {
  address: string;
  /** The name of HELO or EHLO. */
  helo: string;
  /** The address of MAIL FROM; empty for a report. */
  envelopeFrom: string;
}

/** The DNS has this long for one message, in milliseconds: its sender waits for the answer. */
const MAX_MS = 4_000;

const NOT_CHECKED: MailCheck = { result: 'not checked', domain: null };

/** Asks the name servers of the system, which have a cache. */
export function createResolver(): ResolveDns {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  return (name, type) => resolver.resolve(name, type) as ReturnType<ResolveDns>;
}

/**
 * Checks SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489). Never throws: without an answer of the DNS in time a check
 * is `not checked`, as SPF is for a relay of the own network, whose address says nothing about the sender.
 */
export async function authenticateMail(
  raw: Buffer,
  client: MailClient,
  resolve: ResolveDns,
  maxMs: number = MAX_MS,
): Promise<MailAuthentication> {
  const checked: MailAuthentication = { spf: NOT_CHECKED, dkim: NOT_CHECKED, dmarc: NOT_CHECKED };
  const { promise: late, resolve: giveUp } = Promise.withResolvers<void>();
  const timer = setTimeout(giveUp, maxMs);
  // What comes after the time is over changes a copy that nobody has.
  const work = check(raw, client, resolve, checked).catch(() => undefined);
  await Promise.race([work, late]);
  clearTimeout(timer);
  return { ...checked };
}

async function check(raw: Buffer, client: MailClient, resolver: ResolveDns, into: MailAuthentication): Promise<void> {
  const asSpf = isPublic(client.address) ? checkSpf(client, resolver) : undefined;
  const asDkim = hasOddLines(raw) ? undefined : dkimVerify(slicesOf(raw), { resolver, sender: client.envelopeFrom });
  const [spfResult, dkimResult] = await Promise.all([
    asSpf?.then((found) => {
      into.spf = { result: resultOf(found), domain: domainOf(found?.domain) };
      return found;
    }),
    asDkim?.then((found) => {
      into.dkim = dkimOf(found.results);
      return found;
    }),
  ]);
  if (!dkimResult?.headerFrom || dkimResult.headerFrom.length === 0) return;
  const { response } = await evaluateDmarc({
    headerFrom: dkimResult.headerFrom,
    fromFields: dkimResult.fromFields,
    spfDomains: spfResult && resultOf(spfResult) === 'pass' && spfResult.domain ? [spfResult.domain] : [],
    dkimDomains: dkimResult.results.filter(({ status }) => status.result === 'pass').map(signerOf),
    resolver,
  });
  if (!response) return;
  const result = resultOf(response);
  // Without SPF it is not known whether the domain's rule would be met by it.
  into.dmarc = asSpf === undefined && result === 'fail' ? NOT_CHECKED : { result, domain: domainOf(response.domain) };
}

/** A valid signature, as DMARC asks for it: options that are not known are left out. */
function signerOf({ id, signingDomain = '', status: { aligned = false, underSized } }: DKIMResult) {
  const signer: { id?: string; domain: string; aligned: string | false; underSized?: number } = {
    domain: signingDomain,
    aligned,
  };
  if (id !== undefined) signer.id = id;
  if (underSized !== undefined) signer.underSized = underSized;
  return signer;
}

const checkSpf = ({ address, helo, envelopeFrom }: MailClient, resolver: ResolveDns) =>
  spf({ ip: address, helo, sender: envelopeFrom, resolver, mta: 'alertdesk' });

/** Bytes that are hashed in one turn of the event loop. */
const SLICE = 64 * 1024;

/** A message in parts, between which others have their turn. */
const slicesOf = (raw: Buffer): Readable =>
  Readable.from(
    (async function* slices() {
      for (let at = 0; at < raw.length; at += SLICE) {
        yield raw.subarray(at, at + SLICE);
        await setImmediate();
      }
    })(),
  );

/**
 * Longest line, in bytes, and most empty lines of a message whose signature is checked: more would keep the event loop. No line
 * may have more than 998 bytes (RFC 5322, section 2.1.1).
 */
const MAX_LINE = 256 * 1024;
const MAX_EMPTY_LINES = 10_000;

/** Whether no mail program writes such lines. */
function hasOddLines(raw: Buffer): boolean {
  let empty = 0;
  for (let at = 0; at < raw.length;) {
    const found = raw.indexOf(LINE_FEED, at);
    const end = found === -1 ? raw.length : found;
    // With its carriage return an empty line has one byte.
    if (end - at <= 1) empty += 1;
    if (end - at > MAX_LINE || empty > MAX_EMPTY_LINES) return true;
    at = end + 1;
  }
  return false;
}
const LINE_FEED = 0x0a;

interface Verdict {
  status: { result: string };
}

/** Without an answer of the DNS nothing is known (`temperror`). */
const resultOf = (found: Verdict | false | undefined): string =>
  found && !found.status.result.startsWith('temperr') ? found.status.result : NOT_CHECKED.result;
const domainOf = (domain: string | undefined): string | null => domain?.slice(0, 253).toWellFormed() ?? null;

/** The best of several signatures: one that is valid is enough (RFC 6376, section 6.1). */
function dkimOf(results: readonly (Verdict & { signingDomain?: string })[]): MailCheck {
  const found = results.find(({ status }) => status.result === 'pass') ?? results[0];
  return found ? { result: resultOf(found), domain: domainOf(found.signingDomain) } : NOT_CHECKED;
}

/** Whether an address is one of the internet: a relay of the own network is no sender that SPF knows. */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
}
