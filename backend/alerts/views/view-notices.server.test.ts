import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from 'uuidv7';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import { createEventBus, type PublishedAlert } from '#backend/platform/live/event-bus.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { CustomerEntity } from '#backend/alerts/mutes/mute-entities.ts';
import { knownName } from '#tests/support/insert-names.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { openViewNotices } from './view-notices.ts';
import { EVERYBODY, ViewEntity, ViewNoticeEntity } from './view.ts';

const RULES = 500;
const TYPE = 'disk';

let server: TestServer;
let userId: string;
beforeAll(async () => {
  server = await startTestServer();
  userId = (await server.addUser({ role: 'admin' })).id;
});
afterAll(() => server.destroy());

async function addRule(search: string, notify: NoticeLevel = 'always'): Promise<void> {
  const id = uuidv7();
  const rest = { sort: 'newest', position: 0, version: 1, changedAt: Date.now() } as const;
  await server.database.transaction(async (tx) => {
    await tx
      .getRepository(ViewEntity)
      .insert({ id, ownerId: EVERYBODY, name: id, nameKey: id, list: 'inbox', search, ...rest });
    await tx.getRepository(ViewNoticeEntity).insert({ userId, viewId: id, notify, timeZone: 'UTC' });
  });
}

/** An alert whose payload counts how often it is looked at. */
function newAlert(customer: string, text: string): { alert: PublishedAlert; looks: () => number } {
  let looks = 0;
  const content = {
    folderId: null,
    isTest: false,
    label: null,
    isFlapping: false,
    severity: 'critical' as const,
    title: null,
    url: '/webhook',
    get payload() {
      looks += 1;
      return JSON.stringify({ text });
    },
  };
  const place = { ownerId: null, status: 'pending' as const, isSnoozed: false, isQuiet: false, json: '{}' as never };
  return { alert: { id: uuidv7(), customer, alertType: TYPE, sourceId: null, content, ...place }, looks: () => looks };
}

test('what members chose for five hundred views is decided after an alert was published, by the few that ask for it', async () => {
  for (let number = 0; number < RULES; number += 1) await addRule(`customer:"Customer ${number}" full`);
  await addRule('type:disk full', 'never');
  // A search that cannot be carried out any more keeps no other view from notifying.
  await server.database.transaction((tx) =>
    tx.getRepository(CustomerEntity).insert(
      Array.from({ length: 110 }, (_, number) =>
        Object.assign(
          knownName([...'crowded'].map((c, bit) => ((number >> bit) & 1 ? c.toUpperCase() : c)).join(''), 1),
          {
            id: uuidv7(),
          },
        ),
      ),
    ),
  );
  await addRule('customer:CROWDED');
  const events = createEventBus((error) => expect.unreachable(String(error)));
  const notices = await openViewNotices({ database: server.database, events, logger: createLogger('silent') });

  const { alert, looks } = newAlert('Customer 7', 'disk full');
  events.publish({ type: 'new_alert', alert });
  const choices = notices.choicesFor(alert);
  expect(looks()).toBe(0);
  await nextTurn();
  // Of its customer's view and its type's the first says always, which is stronger.
  expect(looks()).toBe(1);
  expect([...choices()]).toEqual([[userId, 'always']]);
  expect(notices.eventsBefore({ type: 'new_alert', alert })).toEqual([
    { type: 'notice_chosen', userId, alertId: alert.id, choice: 'always' },
  ]);
  expect(looks()).toBe(1);
  expect(notices.eventsBefore({ type: 'new_alert', alert: newAlert('Else', 'disk full').alert })).toMatchObject([
    { choice: 'never' },
  ]);
  expect(notices.eventsBefore({ type: 'new_alert', alert: newAlert('Else', 'disk empty').alert })).toEqual([]);

  // While views change, an alert is decided by what held or by what holds, and soon by what holds.
  await server.database.transaction((tx) => tx.query("UPDATE view_notices SET notify = 'never'"));
  events.publish({ type: 'views_changed', userId: null });
  await notices.reload();
  expect(notices.eventsBefore({ type: 'new_alert', alert: newAlert('Customer 7', 'full').alert })).toMatchObject([
    { choice: 'never' },
  ]);
  await notices.stop();
});
