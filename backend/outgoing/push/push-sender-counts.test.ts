import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_WITHDRAWN } from '#backend/contract/push.ts';
import { limits, surroundSender } from '#tests/support/sender-surroundings.ts';

let at: ReturnType<typeof surroundSender>;
beforeEach(() => {
  at = surroundSender();
  at.addDevice('a');
});
afterEach(() => at.destroy());

/** Notifies the device of several at once. */
const notifyOfSeveral = async (...ids: string[]) => {
  for (const id of ids) at.notify(id);
  await at.pass(limits.windowMs);
  at.endAll();
  await at.pass();
};
/** As many at once as are kept for it. */
const notifyOfMany = async (ids: string[]) => {
  for (let from = 0; from < ids.length; from += limits.backlog) {
    await notifyOfSeveral(...ids.slice(from, from + limits.backlog));
  }
};
/** How many the counts that were taken back stood for. */
const countsTakenBack = () =>
  at.attempts.flatMap(({ message }) => (message.type === 'alert_withdrawn' ? [message.several] : []));

const accept = (alertId: string) => at.sender.withdraw({ alertId, acceptedBy: 'Anna Berg' });
const remove = (alertId: string) => at.sender.withdraw({ alertId, acceptedBy: null });

describe('the count of several alerts', () => {
  test('is taken back once all of them are over, in one message', async () => {
    await notifyOfSeveral('1', '2', '3', '4');
    for (const id of ['1', '2', '3']) accept(id);
    await at.pass(60_000);
    expect(countsTakenBack()).toEqual([]);
    remove('4');
    await at.pass(limits.gatherMs);
    expect(countsTakenBack()).toEqual([4]);
    expect(at.attempts.at(-1)?.message).toMatchObject({ alertIds: ['1', '2', '3', '4'] });
    at.endAll();
    await at.pass(60_000);
    expect(countsTakenBack()).toEqual([4]);
  });

  test('stands while one of them is back, or others were added', async () => {
    await notifyOfSeveral('1', '2', '3', '4');
    for (const id of ['1', '2', '3', '4']) accept(id);
    at.sender.restore('2');
    await at.pass(60_000);
    expect(countsTakenBack()).toEqual([]);
    await notifyOfSeveral('5', '6', '7', '8');
    accept('2');
    await at.pass(60_000);
    expect(countsTakenBack()).toEqual([]);
    for (const id of ['5', '6', '7', '8']) accept(id);
    await at.pass(limits.gatherMs);
    expect(countsTakenBack()).toEqual([8]);
  });

  test('is taken back from a device whose page is connected, too', async () => {
    await notifyOfSeveral('1', '2', '3', '4');
    at.listening.add('session of a');
    for (const id of ['1', '2', '3', '4']) accept(id);
    await at.pass(limits.gatherMs);
    expect(countsTakenBack()).toEqual([4]);
  });

  test('counts what was sent once, also after an attempt that failed', async () => {
    for (const id of ['1', '2', '3', '4']) at.notify(id);
    await at.pass();
    at.attempts.at(-1)?.end({ kind: 'retry', afterMs: 1_000 });
    await at.pass(2_000);
    at.endAll();
    await at.pass();
    for (const id of ['1', '2', '3', '4']) accept(id);
    await at.pass(limits.windowMs);
    expect(countsTakenBack()).toEqual([4]);
  });

  test('is taken back of more than one message can name, and says how many are over', async () => {
    const ids = Array.from({ length: MAX_WITHDRAWN + 10 }, (_, index) => `${index}`);
    await notifyOfMany(ids);
    for (const id of ids) accept(id);
    await at.pass(limits.gatherMs);
    expect(countsTakenBack()).toEqual([ids.length]);
    const { message } = at.attempts.at(-1) ?? {};
    expect(message).toMatchObject({
      alertIds: ids.slice(0, MAX_WITHDRAWN),
      body: `${ids.length} alerts removed from the inbox`,
    });
  });

  test('stands while an alert is open that an attempt which failed counted again', async () => {
    await notifyOfSeveral('1', '2', '3', '4');
    for (const id of ['4', '5', '6', '7']) at.notify(id);
    await at.pass(limits.windowMs);
    at.endAll({ kind: 'failed' });
    await at.pass();
    for (const id of ['1', '2', '3', '5', '6', '7']) accept(id);
    await at.pass(limits.givenUpRestMs + limits.gatherMs);
    expect(countsTakenBack()).toEqual([]);
    accept('4');
    await at.pass(limits.gatherMs);
    expect(countsTakenBack()).toEqual([4]);
  });

  test('stands where more were sent than are remembered', async () => {
    const ids = Array.from({ length: limits.countedMemory + limits.backlog }, (_, index) => `${index}`);
    await notifyOfMany(ids);
    for (const id of ids) accept(id);
    await at.pass(60_000);
    expect(countsTakenBack()).toEqual([]);
  });

  test('stands where nobody can say of how many alerts it is', async () => {
    const ids = Array.from({ length: limits.backlog + 1 }, (_, index) => `${index}`);
    await notifyOfSeveral(...ids);
    for (const id of ids) accept(id);
    await at.pass(60_000);
    expect(countsTakenBack()).toEqual([]);
  });
});
