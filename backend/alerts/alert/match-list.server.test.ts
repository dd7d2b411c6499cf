import { afterAll, beforeAll, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { folderSchema } from '#backend/contract/folder.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import type { AlertList } from '#backend/contract/alert-place.ts';
import { AlertEntity, type StoredAlert, publishedAlert } from './alert.ts';
import { isLookedThrough } from './alert-list.ts';
import { findIds } from '#backend/alerts/lists/count-narrowed.ts';
import { branchesOfAll, readBranches } from '#backend/alerts/lists/alert-branches.ts';
import { compileList, requirementOf } from './match-list.ts';
import { narrowList } from '#backend/alerts/lists/narrow-list.ts';
import { type StoredStatus, snoozedStatusesOf } from './stored-status.ts';

const NOW = Date.now();
const HOUR_MS = 3_600_000;
const CUSTOMERS = ['Nordwind', 'nordwind', 'Ärger & Söhne', '100%'];
const TYPES = ['disk', 'Disk', 'a.b*c'];
const WORDS = ['full', 'Größe', 'a.b', '\\', '"quoted"', 'ÉTÉ', '10/5'];
const SEVERITIES = ['critical', 'high', 'none'];
const LABELS = ['Databases', 'databases', 'On call', 'Größe'];
const PARTS = [
  ...CUSTOMERS.map((name) => `customer:"${name}"`),
  'customer:NORDWIND',
  ...TYPES.map((name) => `type:${name}`),
  ...SEVERITIES.map((name) => `severity:${name}`),
  ...LABELS.map((name) => `label:"${name}"`),
  'label:DATABASES',
  'label:"on call"',
  'label:gröSSe',
  'label:Nowhere',
  'full',
  'GRÖSSE',
  'größe',
  'a.b',
  '"\\\\"',
  'été',
  '10/5',
  'status:pending',
  'status:accepted',
  'status:completed',
  'owner:me',
  'owner:none',
  'folder:Late',
  'is:test',
  'is:flapping',
  'is:quiet',
  'from:3h',
  'to:2h',
];

const QUIET_BY = uuidv7();

const oneOf = <Value>(values: readonly Value[]) => fc.constantFrom(...values);

let server: TestServer;
let admin: TestClient;
let actor: { id: string; displayName: string; email: string };
let alerts: StoredAlert[];

beforeAll(async () => {
  server = await startTestServer();
  const user = await server.addUser({ role: 'admin', displayName: 'Admin' });
  actor = { id: user.id, displayName: user.displayName, email: user.email };
  admin = await server.signedIn();
  const folder = await admin.send('POST', '/api/folders', { name: 'Late', color: 'red' });
  const folderId = folderSchema.parse(await folder.json()).id;
  await server.database.transaction((tx) =>
    tx.query('UPDATE folders SET owner_id = ? WHERE id = ?', [actor.id, folderId]),
  );
  const place = fc.oneof(
    fc.constant({ status: 'pending' as const }),
    fc.constant({ status: 'pending' as const, snoozedUntil: NOW + HOUR_MS }),
    fc.record({
      status: oneOf(['accepted', 'in-progress', 'completed'] as const),
      ownerId: fc.constantFrom(actor.id, admin.id),
      folderId: fc.constantFrom(folderId, null),
    }),
    fc.constant({ status: 'accepted' as const, ownerId: actor.id, snoozedUntil: NOW + HOUR_MS }),
  );
  const content = fc.record({
    customer: oneOf([...CUSTOMERS, null]),
    alertType: oneOf([...TYPES, null]),
    severity: oneOf(['critical', 'high', null] as const),
    label: oneOf([...LABELS, null, null]),
    isTest: fc.boolean(),
    flappingSince: oneOf([NOW, null]),
    quietById: oneOf([QUIET_BY, null]),
    title: oneOf([...WORDS, null]),
    url: oneOf(['/webhook', 'https://example.com/10\\/5']),
    payload: fc.tuple(oneOf(WORDS), fc.boolean()).map(([word, isEscaped]) => payloadOf(word, isEscaped)),
  });
  const rows = fc
    .sample(fc.tuple(content, place), { numRuns: 150, seed: 7 })
    .map(([what, where], at) => Object.assign({ id: idAt(6.3 - at / 25) }, what, where));
  // What is snoozed has a status of its own in the column.
  await insertAlerts(server.database, rows.map(stored));
  alerts = await server.database.reads.getRepository(AlertEntity).find({ order: { id: 'DESC' } });
});
afterAll(() => server.destroy());

/** An id that says when its alert was received. */
const idAt = (hoursAgo: number): string => firstIdAt(NOW - hoursAgo * HOUR_MS).slice(0, 14) + uuidv7().slice(14);

/** JSON as some senders write it: beyond ASCII escaped, or not. */
const payloadOf = (word: string, isEscaped: boolean): string => {
  const json = JSON.stringify({ text: word });
  return isEscaped
    ? json.replaceAll(/[^\0-\u007f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : json;
};

function stored(row: Partial<StoredAlert>): Partial<StoredAlert> {
  const [snoozed] = row.snoozedUntil === undefined || !row.status ? [] : snoozedStatusesOf([row.status]);
  return snoozed ? Object.assign({}, row, { status: snoozed satisfies StoredStatus }) : row;
}

test('whether an alert is in a list is decided as the database decides it', async () => {
  expect(alerts).toHaveLength(150);
  const lists: AlertList[] = [
    { list: 'inbox' },
    { list: 'mine', ownerId: actor.id },
    { list: 'filed', ownerId: actor.id },
    { list: 'snoozed', ownerId: actor.id },
    { list: 'all' },
  ];
  const { database, search: index } = server;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...lists),
      fc.uniqueArray(fc.constantFrom(...PARTS), { maxLength: 4 }),
      fc.constantFrom('open' as const, 'completed' as const, undefined),
      async (list, parts, completion) => {
        const narrowing = { search: parts.join(' '), timeZone: 'UTC', completion };
        const narrowed = await narrowList(database, actor, list, narrowing);
        const found: string[] = [];
        if (isLookedThrough(narrowed)) {
          for await (const ids of findIds({ database, search: index }, narrowed)) found.push(...ids);
        } else {
          const branches = branchesOfAll(narrowed, 'newest');
          const range = { bounds: [], order: 'DESC', rows: 1_000 } as const;
          const places = await readBranches(database.reads, database.dialect, branches, { ...range, bounds: [] });
          found.push(...places.map(({ id }) => id));
        }
        const isIn = compileList(narrowed);
        const matched = alerts.filter((alert) => isIn(publishedAlert(alert, null))).map(({ id }) => id);
        expect(matched).toEqual(found.toSorted().toReversed());
        const required = requirementOf(narrowed);
        if (!required) return;
        for (const alert of alerts.filter(({ id }) => matched.includes(id))) {
          expect(required.values).toContain(
            required.field === 'severity'
              ? (alert.severity ?? 'none')
              : required.field === 'label'
                ? alert.label?.toLowerCase()
                : alert[required.field],
          );
        }
      },
    ),
    { numRuns: 300 },
  );
});
