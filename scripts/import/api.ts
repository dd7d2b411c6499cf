import { setTimeout as wait } from 'node:timers/promises';
import type { ZodMiniType } from 'zod/mini';
import { Complaint } from '#scripts/complaint.ts';
import { ask } from '#scripts/demo/signed-in-client.ts';

/** The API of a running server, as an administrator's token sees it. */
export interface Api {
  /** Every row of a list, page after page. @throws {Complaint} when the server refuses */
  list<Row>(path: string, schema: ZodMiniType<Row[]>): Promise<Row[]>;
  /** Sends a body; any answer but a refused token is the caller's. */
  send(path: string, body: unknown, method?: 'POST' | 'PATCH'): Promise<Response>;
  /** The address of one of the server's pages. */
  urlOf(path: string): string;
}

/** Calls are limited per minute: a refused one is sent again after the time that the server names, in seconds. */
const LONGEST_WAIT = 90;
const MOST_TRIES = 20;

export function openApi(url: URL, token: string): Api {
  const call = async (path: string, init: RequestInit = {}, tries = 1): Promise<Response> => {
    const answer = await ask(new URL(path, url), {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
    });
    const seconds = Number(answer.headers.get('retry-after') ?? 1);
    if ((answer.status === 429 || answer.status === 503) && seconds <= LONGEST_WAIT && tries < MOST_TRIES) {
      await wait(seconds * 1_000);
      return call(path, init, tries + 1);
    }
    if (answer.status !== 401 && answer.status !== 403) return answer;
    throw new Complaint(
      `The server at ${url.origin} refuses the token (${(await answer.text()).trim()}). It takes an API token of an administrator with the scope admin.`,
    );
  };
  return {
    async list(path, schema) {
      const rows = [];
      for (let next: string | undefined = path; next !== undefined;) {
        const answer: Response = await call(next);
        if (!answer.ok) throw new Complaint(`${path} was answered ${answer.status}: ${(await answer.text()).trim()}`);
        rows.push(...schema.parse(await answer.json()));
        next = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      return rows;
    },
    send: (path, body, method = 'POST') =>
      call(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    urlOf: (path) => new URL(path, url).href,
  };
}
