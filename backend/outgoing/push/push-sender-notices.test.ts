import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { personalMessage } from './push-message.ts';
import { memberSettings } from '#tests/support/member-settings.ts';
import { limits, surroundSender } from '#tests/support/sender-surroundings.ts';

let at: ReturnType<typeof surroundSender>;
beforeEach(() => {
  at = surroundSender();
});
afterEach(() => at.destroy());

const report = (userId: string | null, id: string, owner = userId) =>
  at.sender.report({
    userId,
    isAbout: (member) => member === owner,
    messageFor: () => personalMessage(id, { title: 'Ben assigned an alert to you', body: '', path: '/' }),
  });
/** A ladder notifies the member that nobody has taken an alert. */
const call = (id: string, untakenAlertId: string) => {
  const text = { title: 'Nobody has taken an alert', body: '', path: '/', untakenAlertId };
  const messageFor = () => personalMessage(id, text);
  at.sender.report({ userId: 'member of a', isAbout: () => true, untakenAlertId, messageFor });
};
const accept = (alertId: string) => at.sender.withdraw({ alertId, acceptedBy: 'Anna Berg' });
const noticed = () =>
  at.attempts.map(({ device, message }) => `${device}: ${'noticeId' in message ? message.noticeId : message.type}`);

describe('what a member is notified of personally', () => {
  test('reaches each device of theirs once, and nobody else, also while alerts are counted', async () => {
    at.addDevice('a', { userId: 'ann' });
    at.addDevice('b', { userId: 'ann' });
    at.addDevice('c');
    for (const id of ['1', '2', '3', '4']) at.notify(id);
    report('ann', 'n1');
    await at.pass();
    expect(noticed()).toEqual(['a: n1', 'b: n1', 'c: new_alerts']);
    at.endAll();
    await at.pass();
    expect(noticed()).toEqual(['a: n1', 'b: n1', 'c: new_alerts', 'a: new_alerts', 'b: new_alerts']);
    report(null, 'n2');
    await at.pass(limits.windowMs);
    at.endAll();
    await at.pass(limits.windowMs);
    expect(noticed().slice(5).toSorted()).toEqual(['a: n2', 'b: n2', 'c: n2']);
  });

  test('is tried again, given up like others, and kept while the recipients cannot be read', async () => {
    at.addDevice('a');
    at.database.isAway = true;
    report('member of a', 'n1');
    await at.pass(100);
    expect(noticed()).toEqual([]);
    at.database.isAway = false;
    await at.pass(2_000);
    expect(noticed()).toEqual(['a: n1']);
    at.endAll({ kind: 'retry', afterMs: 5_000 });
    await at.pass(5_000);
    expect(noticed()).toEqual(['a: n1', 'a: n1']);
    at.endAll({ kind: 'failed' });
    await at.pass(limits.givenUpRestMs + limits.windowMs);
    expect(noticed()).toHaveLength(2);
  });

  test('comes to who wants what is theirs, of news for everybody to who wants everything or is meant, and never to who wants nothing', async () => {
    at.addDevice('all');
    at.addDevice('mine', { settings: memberSettings({ level: 'mine' }) });
    at.addDevice('owner', { userId: 'owner', settings: memberSettings({ level: 'critical' }) });
    at.addDevice('none', { settings: memberSettings({ level: 'never' }) });
    for (const device of ['all', 'mine', 'none']) report(`member of ${device}`, `for ${device}`);
    await at.pass(1_000);
    at.endAll();
    expect(noticed().toSorted()).toEqual(['all: for all', 'mine: for mine']);
    report(null, 'for everybody', 'owner');
    await at.pass(limits.windowMs);
    expect(noticed().slice(2).toSorted()).toEqual(['all: for everybody', 'owner: for everybody']);
  });

  test('does not come in a pause, nor after it', async () => {
    const pausedUntil = new Date(at.clock.now + 60_000).toISOString();
    at.addDevice('a', { settings: memberSettings({ pausedUntil }) });
    report('member of a', 'n1');
    await at.pass(1_000);
    at.clock.now += 120_000;
    report('member of a', 'n2');
    await at.pass(1_000);
    expect(noticed()).toEqual(['a: n2']);
  });

  test('that nobody has taken an alert does not come once somebody has, wherever it waits', async () => {
    at.addDevice('a');
    at.database.isAway = true;
    call('n1', 'taken');
    call('n2', 'open');
    accept('taken');
    await at.pass(100);
    at.database.isAway = false;
    await at.pass(2_000);
    expect(noticed()).toEqual(['a: n2']);
    at.endAll({ kind: 'retry', afterMs: 5_000 });
    call('n3', 'next');
    await at.pass(1_000);
    accept('open');
    accept('next');
    await at.pass(10_000);
    expect(noticed()).toEqual(['a: n2']);
  });

  test('that nobody has taken an alert is taken back once somebody has', async () => {
    at.addDevice('a');
    call('n1', 'called');
    await at.pass(1_000);
    at.endAll();
    await at.pass();
    accept('called');
    await at.pass(limits.gatherMs);
    expect(at.attempts.at(-1)?.message).toMatchObject({ type: 'alert_withdrawn', alertIds: ['called'] });
  });
});
