import { expect } from 'vitest';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import type { TestClient } from './test-client.ts';

/** An answer of Opsgenie's API. */
export interface Answer {
  status: number;
  headers: Headers;
  body: { data?: never; requestId: string; took: number; result?: string; message?: string; paging?: never };
}
/** What an answer says of one alert or request. */
export type Data = Record<string, unknown>;

/** A client of Opsgenie with the key of a source of its own. @param urls of the servers that it asks by turns */
export async function newOpsgenieClient(admin: TestClient, urls: readonly string[], settings: object = {}) {
  let turn = 0;
  const name = crypto.randomUUID();
  const made = await admin.send('POST', '/api/sources', { name, adapter: 'opsgenie', settings });
  const { source, plain } = sourceWithSecretsSchema.parse(await made.json());
  const call = async (method: string, path: string, body?: unknown, headers: HeadersInit = {}): Promise<Answer> => {
    const response = await fetch(`${urls[turn++ % urls.length]}${path}`, {
      method,
      headers: { Authorization: `GenieKey ${plain.key}`, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
  };
  const statusOf = async ({ body }: Answer): Promise<Data> =>
    (await call('GET', `/v2/alerts/requests/${body.requestId}`)).body.data as unknown as Data;
  return {
    source,
    plain,
    call,
    statusOf,
    /** Makes a call that is processed, and returns what its request became. */
    done: async (method: string, path: string, body?: unknown) => {
      const answer = await call(method, path, body);
      expect(answer).toMatchObject({ status: 202, body: { result: 'Request will be processed' } });
      return statusOf(answer);
    },
    get: async (alias: string): Promise<Data> => {
      const answer = await call('GET', `/v2/alerts/${encodeURIComponent(alias)}?identifierType=alias`);
      expect(answer.status).toBe(200);
      return answer.body.data as unknown as Data;
    },
    list: async (query: string): Promise<Data[]> => {
      const answer = await call('GET', `/v2/alerts?query=${encodeURIComponent(query)}`);
      expect(answer.status).toBe(200);
      return answer.body.data as unknown as Data[];
    },
  };
}
