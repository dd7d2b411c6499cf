import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import type { TestClient } from './test-client.ts';

/** What is sent with each call of Opsgenie's API, by its name in the document. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /v2/alerts': { message: 'Disk', alias: 'disk' },
  'GET /v2/alerts': undefined,
  'GET /v2/alerts/count': undefined,
  'GET /v2/alerts/requests/{requestId}': undefined,
  'GET /v2/alerts/{identifier}': undefined,
  'DELETE /v2/alerts/{identifier}': undefined,
  'POST /v2/alerts/{identifier}/close': {},
  'POST /v2/alerts/{identifier}/acknowledge': {},
  'POST /v2/alerts/{identifier}/unacknowledge': {},
  'POST /v2/alerts/{identifier}/snooze': undefined,
  'GET /v2/alerts/{identifier}/notes': undefined,
  'POST /v2/alerts/{identifier}/notes': { note: 'Look' },
  'POST /v2/alerts/{identifier}/assign': undefined,
  'POST /v2/alerts/{identifier}/tags': { tags: ['db'] },
  'DELETE /v2/alerts/{identifier}/tags': undefined,
  'POST /v2/alerts/{identifier}/details': { details: { host: 'db-7' } },
  'DELETE /v2/alerts/{identifier}/details': undefined,
  'PUT /v2/alerts/{identifier}/priority': { priority: 'P1' },
  'PUT /v2/alerts/{identifier}/message': { message: 'Disk of db-7' },
  'PUT /v2/alerts/{identifier}/description': { description: 'Full' },
};

/** The calls of Opsgenie's API that the document describes. */
export const OPSGENIE_CALLS = Object.keys(BODIES);

/** Every success that the document promises of Opsgenie's API, with a call that gets it. */
export const opsgenieCalls = (callers: () => { admin: TestClient }): Record<string, () => Promise<Response>> =>
  Object.fromEntries(
    OPSGENIE_CALLS.map((name) => [
      `${name} ${name.startsWith('GET') ? 200 : 202}`,
      async () => {
        const { admin } = callers();
        const made = await admin.send('POST', '/api/sources', { name: crypto.randomUUID(), adapter: 'opsgenie' });
        const headers = {
          Authorization: `GenieKey ${sourceWithSecretsSchema.parse(await made.json()).plain.key ?? ''}`,
          'Content-Type': 'application/json',
        };
        const create = await admin.post('', { message: 'Disk', alias: 'disk' }, headers, '/v2/alerts');
        const { requestId } = (await create.json()) as { requestId: string };
        const [method = '', path = ''] = name.split(' ');
        const target = path.replace('{identifier}', 'disk').replace('{requestId}', requestId);
        const parameters = path.includes('{identifier}') ? '?identifierType=alias&tags=db&keys=host' : '';
        const endTime = new Date(Date.now() + 60_000).toISOString();
        const body = path.endsWith('/snooze')
          ? { endTime }
          : path.endsWith('/assign')
            ? { owner: { id: admin.id } }
            : BODIES[name];
        return admin.send(method, target + parameters, body, headers);
      },
    ]),
  );
