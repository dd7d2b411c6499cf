import { uuidv7 } from 'uuidv7';
import { describe, expect, test } from 'vitest';
import type { Notified } from '#backend/alerts/notices/notice.ts';
import type { GivenNotice } from '#backend/platform/live/event-bus.ts';
import { type MemberNotices, createMemberNotices } from './member-notices.ts';

const given = (id: string, alertId: string): GivenNotice => ({
  id,
  kind: 'assigned',
  userId: 'ben',
  byId: 'ines',
  byName: 'Ines Costa',
  alertIds: [alertId],
  alertTitle: `Headline of ${alertId}`,
  text: '',
});

/** Notices over a table that keeps each id once, as the database does. */
function noticesOver(table: Map<string, Notified['notice']>): MemberNotices {
  return createMemberNotices(async ({ notice }) => {
    if (!table.has(notice.id)) table.set(notice.id, notice);
  });
}

async function addAndSend(notices: MemberNotices, ...added: GivenNotice[]): Promise<void> {
  const done = notices.add(added);
  await notices.flush();
  await done;
}

test('what was not sent before a server was killed is sent when the next one repeats it with what was', async () => {
  const table = new Map<string, Notified['notice']>();
  await addAndSend(noticesOver(table), given('1', 'x'));
  await addAndSend(noticesOver(table), given('1', 'x'), given('2', 'y'));
  expect([...table.values()]).toMatchObject([{ alertId: 'x' }, { alerts: 2 }]);
  await addAndSend(noticesOver(table), given('1', 'x'), given('2', 'y'));
  expect(table.size).toBe(2);
});

test('what was not sent before is sent whichever of the two the next server repeats first', async () => {
  const table = new Map<string, Notified['notice']>();
  await addAndSend(noticesOver(table), given('1', 'x'));
  await addAndSend(noticesOver(table), given('2', 'y'), given('1', 'x'));
  expect([...table.values()]).toMatchObject([{ alertId: 'x' }, { alerts: 2 }]);
  await addAndSend(noticesOver(table), given('1', 'x'), given('2', 'y'));
  expect(table.size).toBe(2);
});

test('a notice of several has an id in the order of time, and so of its list', async () => {
  const table = new Map<string, Notified['notice']>();
  const [first, second] = [uuidv7(), uuidv7()];
  await addAndSend(noticesOver(table), given(second, 'y'), given(first, 'x'));
  const [id = ''] = table.keys();
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(id.slice(0, 13)).toBe(second.slice(0, 13));
});

test('the headline is that of the alert that is left when others were taken back', async () => {
  const table = new Map<string, Notified['notice']>();
  const notices = noticesOver(table);
  const done = notices.add([given('1', 'x'), given('2', 'y')]);
  notices.withdraw(['x']);
  await notices.flush();
  await done;
  expect([...table.values()]).toMatchObject([{ alertId: 'y', alertTitle: 'Headline of y' }]);
});

describe('a notice that the database does not take', () => {
  const away = new Error('The database is away.');
  const failing = () =>
    createMemberNotices(async () => {
      throw away;
    });

  test('fails for those who added it, and not for who ends the gathering', async () => {
    const notices = failing();
    const added = notices.add([given('1', 'x')]).catch((error: unknown) => error);
    await notices.flush();
    expect(await added).toBe(away);
  });

  test('fails for those who added it when its time is over', async () => {
    const notices = failing();
    await expect(notices.add([given('1', 'x')])).rejects.toBe(away);
  });
});
