import * as z from 'zod/mini';
import { chatServiceSchema } from '#backend/contract/chat-account.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { NamedAccount } from './chat-account.ts';

/** A link to connect an account is good for so long, in milliseconds. */
const LINK_MS = 30 * 60 * 1000;

/** Codes are sealed for this, so that nothing else that is sealed is taken for one. */
const PURPOSE = 'chat-connect';

const codeSchema = z.object({
  service: chatServiceSchema,
  place: z.string(),
  account: z.string(),
  accountName: z.string(),
  until: z.number(),
});

/** The page on which whoever signs in connects this account of a chat to themselves. Only who pressed is shown it. */
export function connectUrl(sealing: Sealing, publicUrl: URL, named: NamedAccount, now = Date.now()): string {
  const { service, place, account, accountName } = named;
  const url = new URL('/account', publicUrl);
  const code = JSON.stringify({ service, place, account, accountName, until: now + LINK_MS });
  url.searchParams.set('connect', sealing.seal(code, PURPOSE));
  return url.href;
}

/** @throws {ProblemError} 404 for what this server has not made, or made too long ago */
export function readConnectCode(sealing: Sealing, code: string, now = Date.now()): NamedAccount {
  const read = (): z.infer<typeof codeSchema> => {
    try {
      return codeSchema.parse(JSON.parse(sealing.open(code, PURPOSE)));
    } catch {
      throw notFound('This link is not valid. Press the button in the chat again for another one.');
    }
  };
  const { until, ...named } = read();
  if (until < now) throw notFound('This link has expired. Press the button in the chat again for another one.');
  return named;
}
