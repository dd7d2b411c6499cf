import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_QUIET_HOURS } from '#backend/contract/notification-settings.ts';
import { memberSettings } from '#tests/support/member-settings.ts';
import { limits, surroundSender } from '#tests/support/sender-surroundings.ts';

let at: ReturnType<typeof surroundSender>;
beforeEach(() => {
  at = surroundSender();
  at.addDevice('a');
});
afterEach(() => at.destroy());

/** Notifies the device of alerts, one by one. */
const notifyOf = async (...ids: string[]) => {
  for (const id of ids) {
    at.notify(id);
    await at.pass(limits.windowMs);
    at.endAll();
    await at.pass();
  }
};
const accept = (alertId: string) => at.sender.withdraw({ alertId, acceptedBy: 'Anna Berg' });
const remove = (alertId: string) => at.sender.withdraw({ alertId, acceptedBy: null });
/** What was taken back, message by message. */
const takenBack = () =>
  at.attempts.flatMap(({ device, message }) =>
    message.type === 'alert_withdrawn' ? [`${device}: ${message.alertIds.join(' ')}`] : [],
  );

test('an alert that somebody accepts is taken back from the device that was notified of it, after a moment', async () => {
  await notifyOf('1');
  accept('1');
  await at.pass(limits.gatherMs - 1_000);
  expect(takenBack()).toEqual([]);
  await at.pass(1_000);
  expect(takenBack()).toEqual(['a: 1']);
  expect(at.attempts.at(-1)?.message).toMatchObject({ title: 'Alert accepted', body: 'Accepted by Anna Berg' });
  at.endAll();
  await at.pass(60_000);
  expect(takenBack()).toHaveLength(1);
});

test('many at once are taken back in one message', async () => {
  const ids = Array.from({ length: 8 }, (_, index) => `${index}`);
  await notifyOf(...ids);
  for (const id of ids) (Number(id) % 2 ? accept : remove)(id);
  await at.pass(limits.gatherMs);
  expect(takenBack()).toEqual([`a: ${ids.join(' ')}`]);
  expect(at.attempts.at(-1)?.message.body).toBe('8 alerts removed from the inbox');
});

test('those that follow wait for each other again', async () => {
  await notifyOf('1', '2', '3');
  accept('1');
  await at.pass(limits.gatherMs);
  at.endAll();
  await at.pass();
  for (const id of ['2', '3']) accept(id);
  await at.pass(limits.gatherMs);
  expect(takenBack()).toEqual(['a: 1', 'a: 2 3']);
});

describe('nothing is taken back', () => {
  test('from a device that was not notified of it', async () => {
    await notifyOf('1');
    at.addDevice('b');
    await notifyOf('2');
    accept('1');
    await at.pass(60_000);
    expect(takenBack()).toEqual(['a: 1']);
  });

  test('that was sent as one of many', async () => {
    for (const id of ['1', '2', '3', '4']) at.notify(id);
    await at.pass();
    expect(at.sent()).toEqual(['a: 4']);
    at.endAll();
    accept('1');
    await at.pass(60_000);
    expect(takenBack()).toEqual([]);
  });

  test('from a device whose page is connected and receives it', async () => {
    await notifyOf('1');
    at.listening.add('session of a');
    accept('1');
    at.listening.clear();
    await at.pass(60_000);
    expect(takenBack()).toEqual([]);
  });

  test('that was sent an hour ago', async () => {
    await notifyOf('1');
    await at.pass(limits.withdrawWithinMs);
    accept('1');
    await at.pass(60_000);
    expect(takenBack()).toEqual([]);
  });

  test('that is in the inbox again', async () => {
    await notifyOf('1');
    accept('1');
    at.sender.restore('1');
    await at.pass(60_000);
    expect(takenBack()).toEqual([]);
    accept('1');
    await at.pass(60_000);
    expect(takenBack()).toEqual(['a: 1']);
  });

  test('beyond what is remembered of a device', async () => {
    const ids = Array.from({ length: limits.notifiedMemory + 1 }, (_, index) => `${index}`);
    await notifyOf(...ids);
    accept('0');
    accept('1');
    await at.pass(60_000);
    expect(takenBack()).toEqual(['a: 1']);
  });
});

describe('an alert that is accepted before a device was notified of it', () => {
  test('is not sent', async () => {
    await notifyOf('1');
    for (const id of ['2', '3', '4']) at.notify(id);
    accept('3');
    await at.pass(limits.windowMs);
    for (let count = 0; count < 3; count += 1) {
      at.endAll();
      await at.pass(limits.windowMs);
    }
    expect(at.sent()).toEqual(['a: 1', 'a: 2', 'a: 4']);
    expect(takenBack()).toEqual([]);
  });

  test('is sent when it comes back to the inbox in time', async () => {
    at.notify('1');
    accept('1');
    at.sender.restore('1');
    await at.pass();
    expect(at.sent()).toEqual(['a: 1']);
  });

  test('is not sent again when it comes back to the inbox later', async () => {
    await notifyOf('1');
    accept('1');
    await at.pass(limits.gatherMs);
    at.endAll();
    at.sender.restore('1');
    await at.pass(60_000);
    expect(at.sent()).toEqual(['a: 1', 'a: alert_withdrawn']);
  });

  test('is taken back when its message was in flight', async () => {
    at.notify('1');
    await at.pass();
    accept('1');
    at.endAll();
    await at.pass(limits.gatherMs);
    expect(at.sent()).toEqual(['a: 1', 'a: alert_withdrawn']);
  });

  test('is neither sent nor taken back when its message did not arrive', async () => {
    at.notify('1');
    await at.pass();
    accept('1');
    at.endAll({ kind: 'retry', afterMs: 1_000 });
    await at.pass(60_000);
    expect(at.sent()).toEqual(['a: 1']);
  });
});

test('what is to be taken back is tried again like any other message, and given up like any other', async () => {
  await notifyOf('1');
  accept('1');
  await at.pass(limits.gatherMs);
  at.endAll({ kind: 'retry', afterMs: 2_000 });
  await at.pass(2_000);
  expect(at.attempts.slice(-2).map(({ attempt }) => attempt)).toEqual([1, 2]);
  at.endAll({ kind: 'failed' });
  await at.pass(10 * limits.givenUpRestMs);
  expect(takenBack()).toHaveLength(2);
});

test('news of an alert that is to be taken back stays, and goes when the alert is accepted after it', async () => {
  await notifyOf('1');
  accept('1');
  await at.pass(limits.gatherMs - 1_000);
  at.notify('1');
  await at.pass();
  at.endAll();
  await at.pass(60_000);
  expect(at.sent()).toEqual(['a: 1', 'a: 1']);
  accept('1');
  await at.pass(limits.gatherMs);
  expect(takenBack()).toEqual(['a: 1']);
});

test('news goes before what is to be taken back', async () => {
  await notifyOf('1');
  accept('1');
  await at.pass(limits.gatherMs - 1_000);
  at.notify('2');
  await at.pass(1_000);
  at.endAll();
  await at.pass(limits.windowMs);
  expect(at.sent()).toEqual(['a: 1', 'a: 2', 'a: alert_withdrawn']);
});

test('nothing is taken back in quiet hours, but when they end', async () => {
  const quietHours = { ...DEFAULT_QUIET_HOURS, isOn: true, from: '13:00', to: '13:30' };
  at.addDevice('a', { settings: memberSettings({ quietHours }) });
  await notifyOf('1');
  at.clock.now += 60 * 60_000;
  accept('1');
  await at.pass(5 * limits.givenUpRestMs);
  expect(takenBack()).toEqual([]);
  at.clock.now += 30 * 60_000;
  await at.pass(2 * limits.givenUpRestMs);
  expect(takenBack()).toEqual(['a: 1']);
});

test('in quiet hours that last it is asked for an hour, and then no more', async () => {
  const quietHours = { ...DEFAULT_QUIET_HOURS, isOn: true, from: '13:00', to: '12:59' };
  at.addDevice('a', { settings: memberSettings({ quietHours }) });
  at.clock.now += 59 * 60_000 + 30_000;
  await notifyOf('1');
  at.clock.now += 60_000;
  accept('1');
  await at.pass(limits.withdrawWithinMs + 2 * limits.givenUpRestMs);
  const before = at.asked.length;
  await at.pass(limits.withdrawWithinMs);
  expect([at.asked.length, takenBack()]).toEqual([before, []]);
});

test('a device whose session ends is asked for nothing more', async () => {
  await notifyOf('1');
  accept('1');
  at.devices.clear();
  at.sender.forgetSession('session of a');
  await at.pass(60_000);
  expect(takenBack()).toEqual([]);
});
