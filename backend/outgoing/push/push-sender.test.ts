import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exceptionKey } from '#backend/contract/mute.ts';
import { DEFAULT_QUIET_HOURS } from '#backend/contract/notification-settings.ts';
import { PUSH_LIMITS } from './device-queue.ts';
import { memberSettings } from '#tests/support/member-settings.ts';
import { STEPS, limits, surroundSender } from '#tests/support/sender-surroundings.ts';

let at: ReturnType<typeof surroundSender>;
beforeEach(() => {
  at = surroundSender();
});
afterEach(() => at.destroy());

test('an attempt ends after 10 s or 64 KiB of answer', () => {
  expect(PUSH_LIMITS).toMatchObject({ totalMs: 10_000, answerBytes: 65_536 });
});

describe('one device', () => {
  beforeEach(() => at.addDevice('a'));

  test('is notified at once, with one message after the other', async () => {
    at.notify('1');
    await at.pass();
    expect(at.sent()).toEqual(['a: 1']);
    at.notify('2');
    await at.pass(limits.recipientsMs);
    expect(at.sent()).toEqual(['a: 1']);
    at.endAll();
    await at.pass();
    expect(at.sent()).toEqual(['a: 1', 'a: 2']);
  });

  test('is sent three alerts one by one', async () => {
    for (const id of ['1', '2', '3']) at.notify(id);
    for (let count = 0; count < 4; count += 1) {
      await at.pass();
      at.endAll();
    }
    expect(at.sent()).toEqual(['a: 1', 'a: 2', 'a: 3']);
  });

  test('is sent more as their count, and nothing else within a second', async () => {
    for (const id of ['1', '2', '3', '4']) at.notify(id);
    await at.pass();
    at.endAll();
    for (const id of ['5', '6']) at.notify(id);
    await at.pass(limits.windowMs - 5 * STEPS);
    expect(at.sent()).toEqual(['a: 4']);
    await at.pass(5 * STEPS);
    at.endAll();
    await at.pass();
    at.endAll();
    expect(at.sent()).toEqual(['a: 4', 'a: 5', 'a: 6']);
  });

  test('is sent what came while an attempt failed together with it, after the time named', async () => {
    at.notify('1');
    await at.pass();
    at.endAll({ kind: 'retry', afterMs: 5_000 });
    for (const id of ['2', '3', '4']) at.notify(id);
    await at.pass(5_000 - 5 * STEPS);
    expect(at.sent()).toEqual(['a: 1']);
    await at.pass(5 * STEPS);
    expect(at.sent()).toEqual(['a: 1', 'a: 4']);
    expect(at.attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    at.endAll();
    await at.pass();
    at.notify('5');
    await at.pass(limits.windowMs);
    expect(at.attempts.at(-1)).toMatchObject({ device: 'a', attempt: 1 });
  });

  test('is left alone for a while when a message was given up, and sent what came since', async () => {
    at.notify('1');
    await at.pass();
    at.endAll({ kind: 'failed' });
    at.notify('2');
    await at.pass(limits.givenUpRestMs - 5 * STEPS);
    expect(at.sent()).toEqual(['a: 1']);
    await at.pass(5 * STEPS);
    expect(at.sent()).toEqual(['a: 1', 'a: 2']);
  });

  test('is not sent what its member mutes before delivery', async () => {
    at.notify('1', 'Nordwind');
    await at.pass();
    at.endAll({ kind: 'retry', afterMs: 5_000 });
    at.addDevice('a', {
      settings: memberSettings({ exceptions: new Map([[exceptionKey('customer', 'Nordwind'), 'never']]) }),
    });
    await at.pass(60_000);
    expect(at.sent()).toEqual(['a: 1']);
    at.notify('2', 'Atlas');
    await at.pass();
    expect(at.sent()).toEqual(['a: 1', 'a: 2']);
    expect(at.attempts.at(-1)?.attempt).toBe(1);
  });

  test('is sent nothing while its member wants quiet, and not later what came meanwhile', async () => {
    const quietHours = { ...DEFAULT_QUIET_HOURS, isOn: true, from: '12:00', to: '13:00' };
    at.addDevice('a', { settings: memberSettings({ quietHours }) });
    at.notify('1');
    await at.pass(limits.windowMs);
    at.clock.now += 60 * 60_000;
    at.notify('2');
    await at.pass(limits.windowMs);
    expect(at.sent()).toEqual(['a: 2']);
  });

  test('is not sent what was to be tried again when quiet hours begin', async () => {
    const quietHours = { ...DEFAULT_QUIET_HOURS, isOn: true, from: '13:00', to: '14:00' };
    at.addDevice('a', { settings: memberSettings({ quietHours }) });
    at.notify('1');
    await at.pass();
    at.endAll({ kind: 'retry', afterMs: 5_000 });
    at.clock.now += 60 * 60_000;
    await at.pass(60_000);
    expect(at.sent()).toEqual(['a: 1']);
  });

  test('that is gone is not sent what came meanwhile', async () => {
    at.notify('1');
    await at.pass();
    at.notify('2');
    at.devices.delete('a');
    at.endAll({ kind: 'gone' });
    await at.pass(limits.windowMs);
    expect(at.sent()).toEqual(['a: 1']);
  });
});

describe('many devices', () => {
  test('are read at once, and asked about the names at hand only', async () => {
    for (let index = 0; index < 4; index += 1) at.addDevice(`${index}`);
    at.notify('1', 'Nordwind');
    at.notify('2', 'Nordwind');
    at.notify('3');
    await at.pass();
    expect(at.asked).toEqual([{ customers: ['Nordwind'], alertTypes: [], sources: [] }]);
    expect(at.attempts).toHaveLength(4);
  });

  test('are read five times a second at most, and not at all while nothing happens', async () => {
    at.addDevice('a');
    for (let index = 0; index < 100; index += 1) {
      at.notify(`${index}`);
      await at.pass(10);
      at.endAll();
    }
    expect(at.asked.length).toBeLessThanOrEqual(1 + performance.now() / limits.recipientsMs);
    await at.pass(limits.windowMs);
    const before = at.asked.length;
    await at.pass(60_000);
    expect(at.asked.length).toBe(before);
  });

  test('are notified no more at once than there is capacity for', async () => {
    for (let index = 0; index < 6; index += 1) at.addDevice(`${index}`);
    at.notify('1');
    await at.pass();
    expect(at.sent()).toEqual(['0: 1', '1: 1', '2: 1', '3: 1']);
    at.attempts[0]?.end({ kind: 'sent' });
    await at.pass();
    expect(at.sent()).toEqual(['0: 1', '1: 1', '2: 1', '3: 1', '4: 1']);
  });

  test('are not delayed by others that give no answer', async () => {
    for (let index = 0; index < 6; index += 1) at.addDevice(`${index}`);
    at.notify('1');
    await at.pass();
    await at.pass(limits.slowMs - 5 * STEPS);
    expect(at.sent()).toHaveLength(4);
    await at.pass(5 * STEPS);
    expect(at.sent()).toEqual(['0: 1', '1: 1', '2: 1', '3: 1', '4: 1', '5: 1']);
  });

  test('that failed last take half the capacity, and come after the others', async () => {
    for (const id of ['x', 'y', 'z']) at.addDevice(id, { failures: 1 });
    at.addDevice('a');
    at.notify('1');
    await at.pass();
    expect(at.sent()).toEqual(['a: 1', 'x: 1', 'y: 1']);
    at.attempts[1]?.end({ kind: 'sent' });
    await at.pass();
    expect(at.sent()).toEqual(['a: 1', 'x: 1', 'y: 1', 'z: 1']);
  });

  test('that are being retried take half the capacity', async () => {
    for (const id of ['w', 'x', 'y', 'z']) at.addDevice(id);
    at.notify('1');
    await at.pass();
    at.endAll({ kind: 'retry', afterMs: 1_000 });
    await at.pass(1_000);
    expect(at.sent().slice(4)).toEqual(['w: 1', 'x: 1']);
    at.addDevice('a');
    at.notify('2');
    await at.pass(limits.recipientsMs);
    expect(at.sent().slice(6)).toEqual(['a: 2']);
  });
});

describe('when too much is pending', () => {
  test('the oldest alerts are let go and counted, and the message says that there were more', async () => {
    at.addDevice('a');
    at.notify('first');
    await at.pass();
    for (let index = 0; index < 15; index += 1) at.notify(`${index}`);
    // The first one is still in flight, so it is one of those that were let go.
    expect(at.outcomes).toEqual(Array.from({ length: 6 }, () => 'dropped'));
    at.endAll();
    await at.pass(limits.windowMs);
    expect(at.attempts.at(-1)?.message).toMatchObject({
      type: 'new_alerts',
      count: 10,
      isMore: true,
      body: '10+ new alerts',
    });
  });

  test('nothing counts as let go while there is nobody to notify', async () => {
    for (let index = 0; index < 100; index += 1) at.notify(`${index}`);
    await at.pass(60_000);
    expect(at.outcomes).toEqual([]);
  });
});

describe('when the database is away', () => {
  test('devices are notified once it is back, and it is not asked all the time', async () => {
    at.addDevice('a');
    at.database.isAway = true;
    for (let index = 0; index < 3; index += 1) {
      at.notify(`${index}`);
      await at.pass(100);
    }
    expect([at.asked.length, at.troubles.length]).toEqual([1, 1]);
    at.database.isAway = false;
    await at.pass(2_000);
    expect(at.sent()).toEqual(['a: 0']);
  });
});

describe('a session that ends', () => {
  test('while its devices are being read is not notified', async () => {
    at.addDevice('a');
    at.addDevice('b');
    at.database.whileReading = () => at.sender.forgetSession('session of a');
    at.notify('1');
    await at.pass();
    expect(at.sent()).toEqual(['b: 1']);
  });

  test('cuts what is in flight, and what is pending', async () => {
    at.addDevice('a');
    at.notify('1');
    await at.pass();
    at.notify('2');
    at.devices.clear();
    at.sender.forgetSession('session of a');
    await at.pass(60_000);
    expect(at.sent()).toEqual(['a: 1']);
  });
});

test('a new device is sent what comes from now on', async () => {
  at.addDevice('a');
  at.notify('1');
  await at.pass();
  at.addDevice('b');
  at.notify('2');
  await at.pass(limits.recipientsMs);
  expect(at.sent()).toEqual(['a: 1', 'b: 2']);
});

test('after a stop nothing begins', async () => {
  at.addDevice('a');
  at.notify('1');
  const stopped = at.sender.stop();
  at.notify('2');
  await at.pass(60_000);
  await stopped;
  expect(at.attempts).toEqual([]);
});
