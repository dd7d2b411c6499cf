import { setTimeout as wait } from 'node:timers/promises';
import type { ZodMiniType } from 'zod/mini';
import { Complaint } from '#scripts/complaint.ts';
import type { SignedInClient } from '#scripts/demo/signed-in-client.ts';

/** The API of a running server, as an administrator who is signed in sees it. */
export interface Api {
  /** Every row of a list, page after page. @throws {Complaint} when the server refuses */
  list<Row>(path: string, schema: ZodMiniType<Row[]>): Promise<Row[]>;
  /** Sends a body; any answer but a refusal of the administrator is the caller's. */
  send(path: string, body: unknown, method?: 'POST' | 'PATCH'): Promise<Response>;
  /** The address of one of the server's pages. */
  urlOf(path: string): string;
}

/** Calls are limited per minute: a refused one is sent again after the time that the server names, in seconds. */
const LONGEST_WAIT = 90;
const MOST_TRIES = 20;

/** @param client the session of an administrator */
export function openApi(url: URL, client: SignedInClient): Api {
  const call = async (method: string, path: string, body?: unknown, tries = 1): Promise<Response> => {
    const answer = await client.request(method, path, body);
    const seconds = Number(answer.headers.get('retry-after') ?? 1);
    if ((answer.status === 429 || answer.status === 503) && seconds <= LONGEST_WAIT && tries < MOST_TRIES) {
      await wait(seconds * 1_000);
      return call(method, path, body, tries + 1);
    }
    if (answer.status !== 401 && answer.status !== 403) return answer;
    throw new Complaint(
      `The server at ${url.origin} refuses the import (${(await answer.text()).trim()}). It takes the account of an administrator.`,
    );
  };
  return {
    async list(path, schema) {
      const rows = [];
      for (let next: string | undefined = path; next !== undefined;) {
        const answer: Response = await call('GET', next);
        if (!answer.ok) throw new Complaint(`${path} was answered ${answer.status}: ${(await answer.text()).trim()}`);
        rows.push(...schema.parse(await answer.json()));
        next = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      return rows;
    },
    send: (path, body, method = 'POST') => call(method, path, body),
    urlOf: (path) => new URL(path, url).href,
  };
}
