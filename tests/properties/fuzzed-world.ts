import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import { makeBrowserKeys } from '#tests/support/browser-keys.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';
import { writeRule } from '#backend/identity/factors/second-steps.ts';
import type { Hints } from './arbitrary-of.ts';
import type { RawRequest } from './send-raw.ts';

/** A server with some of everything in it, and an administrator to ask it as, whatever the requests do to them. */
export interface FuzzedWorld {
  server: TestServer;
  apiKey: string;
  /** Values for the fields of an endpoint: ids of what is there now, and what its schemas cannot say. */
  hintsFor(endpoint: Pick<Endpoint, 'path'>): Hints;
  /** Puts in again what requests may have taken out. */
  refill(): Promise<void>;
  /** Proves that the server lives: it answers who is signed in, or signs somebody in. */
  proveAlive(): Promise<void>;
  /** What makes a request the administrator's own. */
  credentials(): RawRequest['headers'];
  /** Every stored value, as text. */
  dump(): Promise<string>;
}

const ONE_STEP = [{ afterMinutes: 0, recipients: [{ kind: 'online' }] }];
const SECOND_STEP = { afterMinutes: 5, recipients: [{ kind: 'online' }], by: 'phone' };

/** Sections that are hardly ever whole when each of their fields is drawn. */
const CONFIGURED: Hints = {
  sources: fc.constantFrom([], [{ name: 'Grafana' }], [{ name: 'Bad', mapping: { title: '$[' } }], [{ name: '' }]),
  destinations: fc.constantFrom(
    [],
    [{ name: 'Hook', kind: 'webhook', url: 'https://example.com/' }],
    [{ kind: 'jira' }],
  ),
  heartbeats: fc.constantFrom(
    [{ name: 'Backup', schedule: { kind: 'interval', everySeconds: 60 }, graceSeconds: 60, source: 'Nothing' }],
    [{ name: 'Never', schedule: { kind: 'cron', expression: '* *', timeZone: 'UTC' }, graceSeconds: 60 }],
    [],
  ),
  outgoingRules: fc.constantFrom(
    [],
    [{ name: 'All', search: 'owner:me', events: ['new'] }],
    [
      {
        name: 'All',
        search: '',
        events: ['new'],
        ladder: { steps: ONE_STEP.map((step) => ({ ...step, recipients: ['online'] })) },
      },
    ],
  ),
};

const identified = z.object({ id: z.string() });

/** Starts the server. */
export async function createFuzzedWorld(): Promise<FuzzedWorld> {
  // Behind a proxy, whose word on addresses is a client's input too.
  const server = await startTestServer({ TRUST_PROXY: '1' });
  const apiKey = await server.addApiKey();
  let admin: TestClient = await server.signedIn({ role: 'admin' });
  const ids = new Map<string, string[]>();
  const anyOf = (...kinds: string[]): Arbitrary<string> =>
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.nat().map((index) =>
          pick(
            kinds.flatMap((kind) => ids.get(kind) ?? []),
            index,
          ),
        ),
      },
      { weight: 1, arbitrary: fc.uuid() },
    );

  /** Requests may have decided that everybody has to have a second step. */
  const requireNothing = () => server.database.transaction((tx) => writeRule(tx, { requiredFor: 'nobody' }));

  const world: FuzzedWorld = {
    server,
    apiKey,
    hintsFor: ({ path }) => ({
      id: anyOf(...kindsAt(path)),
      folderId: fc.oneof(anyOf('folder'), fc.constant(null)),
      parentId: anyOf('folder'),
      customerId: anyOf('customer'),
      alertType: fc.constantFrom('disk.full', 'DISK.FULL', 'no such type'),
      timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Europe/Nowhere'),
      email: fc.oneof(newEmail, anyOf('email')),
      account: newEmail,
      password: fc.oneof(password, fc.constant(TEST_PASSWORD)),
      newPassword: password,
      endpoint: fc.oneof(fc.webUrl({ validSchemes: ['https'] }), fc.constant('https://push.example.com/1')),
      keys: fc.constant(makeBrowserKeys().keys),
      // Addresses that nobody is asked at: they are inside the network.
      ...(path.includes('/silencing') && { url: fc.constantFrom('http://127.0.0.1:9093', 'https://[::1]/am') }),
      // Steps that are drawn are hardly ever in order.
      ...(path === '/api/outgoing/ladder-preview' && { steps: fc.constantFrom(ONE_STEP, [...ONE_STEP, SECOND_STEP]) }),
      // Groups that there are, and a list.
      ...(path.startsWith('/api/alert-groups') && { list: fc.constantFrom('inbox', 'mine', 'all', 'folder') }),
      // A rule, and times that have not passed.
      ...(path.startsWith('/api/maintenance') && {
        rrule: fc.constantFrom('FREQ=WEEKLY;BYDAY=SU', 'FREQ=DAILY', 'FREQ=SECONDLY', null),
        startsAt: fc.constantFrom('2099-01-01T00:00:00.000Z', '2001-01-01T00:00:00.000Z'),
      }),
      ...(path.startsWith('/api/configuration') && CONFIGURED),
      // Any two days are hardly ever less than a year apart.
      ...(path === '/api/insight' && {
        from: fc.constantFrom('2026-11-01', '2026-11-20', '2026-02-30'),
        to: fc.constantFrom('2026-11-22', '2026-11-19', '2030-01-01'),
      }),
    }),
    async refill() {
      await requireNothing();
      const posted = [1, 2, 3].map((n) => admin.postAlert(apiKey, { customer: `C${n}`, type: 'disk.full' }));
      const [inbox = '', mine = '', filed = ''] = (await Promise.all(posted)).map(({ id }) => id);
      const idOf = async (answer: Promise<Response>) => identified.parse(await (await answer).json()).id;
      for (const id of [mine, filed]) await admin.send('POST', `/api/alerts/${id}/accept`);
      const folderId = await idOf(admin.send('POST', '/api/folders', { name: uuidv7(), color: 'blue' }));
      await admin.send('PATCH', `/api/webhooks/${filed}/move`, { folderId });
      const member = await server.addUser();
      ids.set('alert', [inbox, mine, filed]);
      ids.set('folder', [folderId]);
      ids.set('email', [member.email]);
      ids.set('user', [admin.id, member.id]);
      // Not the one that alerts are posted with.
      ids.set('apiKey', [await idOf(admin.send('POST', '/api/api-keys', { name: 'Another' }))]);
      // Nothing takes customers out.
      if (ids.has('customer')) return;
      const customers = identified.array().parse(await (await admin.get('/api/customers')).json());
      ids.set(
        'customer',
        customers.map(({ id }) => id),
      );
    },
    async proveAlive() {
      const answer = await admin.get('/api/auth/session');
      const { status } = answer;
      if ((await answer.text()).includes('mustSetUpSecondStep')) await requireNothing();
      // Signed out, disabled, or the password reset: by a request that may do so.
      if (status === 401) {
        await requireNothing();
        admin = await server.signedIn({ role: 'admin' });
      }
      if (status !== 200 && status !== 401) throw new Error(`after it, a valid request was answered with ${status}`);
    },
    credentials: () => [
      ['Cookie', admin.cookieHeader],
      ['X-CSRF-Token', admin.cookies.get('csrf-token') ?? ''],
    ],
    async dump() {
      const tables = server.database.reads.connection.entityMetadatas;
      const rows = await Promise.all(tables.map(({ target }) => server.database.reads.getRepository(target).find()));
      return JSON.stringify(rows);
    },
  };
  return world;
}

/** Of what kind an id in this path is; of any, where that is not known. */
function kindsAt(path: string): string[] {
  if (/folder/.test(path)) return ['folder'];
  if (/users/.test(path)) return ['user'];
  if (/api-keys|sources/.test(path)) return ['apiKey'];
  if (/alerts|webhooks/.test(path)) return ['alert'];
  return ['alert', 'folder', 'user', 'apiKey'];
}

/** An address that nobody has. Made once, which takes long. */
const newEmail = fc.stringMatching(/^[a-z]{3,12}@example\.com$/);

/** No schema can say that bcrypt reads 72 bytes. */
const password = fc.string({ minLength: 6, maxLength: 72 });

const pick = (values: string[], index: number): string => values[index % (values.length || 1)] ?? '';
