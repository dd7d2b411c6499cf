import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { asAccepted, asPending } from './alert-changes.ts';
import type { AlertTransition } from './alert-entry.ts';
import { createAlertStore } from './alert-store.ts';

/** A store, and what it reported. */
function world(...alerts: Alert[]) {
  const reported: AlertTransition[][] = [];
  const store = createAlertStore({
    onChange: (transitions) => void reported.push([...transitions]),
    listed: () => new Set(),
  });
  store.learnAnswer(alerts, store.moment());
  reported.length = 0;
  return { store, reported };
}

const byAnna = (alert: Alert): Alert => asAccepted(alert, 'anna', 'Anna');
const byMe = (alert: Alert): Alert => (alert.status === 'pending' ? asAccepted(alert, 'me', 'Me') : alert);
const snooze = (until: string) => (alert: Alert) => ({ ...alert, snoozedUntil: until });
const severe = (id: string, version: number) => makeAlert(id, { version, severity: 'critical' });

describe('what the server says', () => {
  test('an older event or answer never wins over a newer one', () => {
    const { store } = world(makeAlert('a', { version: 1 }));
    expect(store.learn(severe('a', 3))).toBe(true);
    expect(store.learn(makeAlert('a', { version: 2 }))).toBe(false);
    expect(store.learnAnswer([makeAlert('a', { version: 2 })], store.moment())).toEqual(['a']);
    expect(store.read('a')).toEqual(severe('a', 3));
    expect(store.learnAnswer([makeAlert('a', { version: 4 })], 0)).toEqual([]);
    expect(store.read('a')?.severity).toBe('none');
  });

  test('a change that comes before the alert is applied to it, and one that it has is not', () => {
    const { store } = world();
    expect(store.change('a', 2, byAnna)).toBe('unknown');
    store.learnAnswer([makeAlert('a', { version: 1 })], 0);
    expect(store.read('a')).toMatchObject({ ownerId: 'anna', version: 2 });
    expect(store.change('a', 2, asPending)).toBe('late');
    expect(store.read('a')?.ownerId).toBe('anna');
  });

  test('changes that come in the wrong order end as in the right one', () => {
    const { store } = world(makeAlert('a', { version: 1 }));
    expect(store.change('a', 3, asPending)).toBe('gap');
    expect(store.change('a', 2, byAnna)).toBe('known');
    expect(store.read('a')).toEqual(makeAlert('a', { version: 3 }));
    expect(store.change('a', 2, byAnna)).toBe('late');
  });

  test('what is missing between two changes comes with an answer, which need not be the newest', () => {
    const { store } = world(makeAlert('a', { version: 1 }));
    expect(store.change('a', 4, byAnna)).toBe('gap');
    store.learnAnswer([severe('a', 3)], 0);
    expect(store.read('a')).toEqual({ ...byAnna(severe('a', 3)), version: 4 });
  });

  test('nothing comes after a deletion', () => {
    const { store } = world(makeAlert('a'));
    expect(store.remove('a')).toEqual(makeAlert('a'));
    expect(store.learn(severe('a', 9))).toBe(false);
    expect(store.change('a', 9, byAnna)).toBe('late');
    expect(store.learnAnswer([severe('a', 9)], store.moment())).toEqual(['a']);
    expect([store.read('a'), store.look('a')]).toEqual([undefined, { alert: makeAlert('a'), isDeleted: true }]);
  });

  test('a server of an earlier release says no version: each change counts', () => {
    const { store } = world(makeAlert('a'));
    expect([store.change('a', undefined, byAnna), store.change('a', undefined, asPending)]).toEqual(['known', 'known']);
    expect(store.read('a')).toEqual(makeAlert('a'));
  });

  test('an answer concerns no other list, until the event of the same change comes', () => {
    const { store, reported } = world(makeAlert('a', { version: 1 }));
    const accepted = { ...byAnna(makeAlert('a')), version: 2 };
    store.learnAnswer([accepted], 0);
    store.change('a', 2, byAnna);
    expect(reported.flat().map(({ after, isAnswer }) => [after?.ownerId, isAnswer])).toEqual([
      ['anna', true],
      ['anna', false],
    ]);
  });

  test('reports the changes of a batch together, each alert once, and nothing when nothing changed', () => {
    const { store, reported } = world(makeAlert('a'), makeAlert('b'));
    store.learn(makeAlert('b'));
    reported.length = 0;
    store.batch(() => {
      store.change('a', 2, byAnna);
      store.change('a', 3, asPending);
      store.learn(makeAlert('c'), true);
      store.learn(makeAlert('b'));
    });
    expect(reported.map((all) => all.map(({ id, seenBefore }) => [id, seenBefore?.version]))).toEqual([
      [
        ['a', 1],
        ['c', undefined],
      ],
    ]);
    expect(reported[0]?.[1]?.seenBefore).toBeNull();
  });
});

describe('own changes', () => {
  test('show at once, and go with a refusal: nothing is put back by hand', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { store } = world(makeAlert('a'));
    const own = store.begin([makeAlert('a')], byMe);
    expect([store.read('a')?.ownerId, store.onServer('a')?.ownerId]).toEqual(['me', undefined]);
    expect([store.isChanging('a'), store.hasUnanswered()]).toEqual([true, true]);
    store.end(own);
    expect(store.read('a')).toEqual(makeAlert('a'));
    // Lists that are drawn a moment later are still to know whose doing it was.
    expect([store.isChanging('a'), store.hasUnanswered()]).toEqual([true, false]);
    vi.advanceTimersByTime(1_000);
    expect(store.isChanging('a')).toBe(false);
  });

  test('an alert that I accepted does not come back by what was sent before', () => {
    const { store } = world(makeAlert('a'));
    const own = store.begin([makeAlert('a')], byMe);
    store.learn(makeAlert('a', { version: 2, occurrences: 2 }));
    store.learnAnswer([makeAlert('a')], store.moment());
    expect(store.read('a')).toMatchObject({ ownerId: 'me', occurrences: 2 });
    store.learn({ ...byMe(makeAlert('a')), version: 3 });
    store.end(own);
    expect(store.read('a')).toMatchObject({ ownerId: 'me', version: 3 });
  });

  test('do not apply to what somebody else owns by now', () => {
    const { store } = world(makeAlert('a'));
    const own = store.begin([makeAlert('a')], (alert) => ({ ...alert, status: 'accepted', ownerId: 'me' }));
    store.change('a', 2, byAnna);
    expect(store.read('a')?.ownerId).toBe('anna');
    store.end(own);
    expect(store.read('a')?.ownerId).toBe('anna');
  });

  test('lie on top of each other, and the second goes with the first where it needs it', () => {
    const { store } = world(makeAlert('a'));
    const first = store.begin([makeAlert('a')], byMe);
    store.begin([makeAlert('a')], (alert) => ({ ...alert, status: 'in-progress' }));
    expect(store.read('a')).toMatchObject({ status: 'in-progress', ownerId: 'me' });
    store.end(first);
    expect(store.read('a')).toEqual(makeAlert('a'));
  });

  test('what was refused because the alert is elsewhere is in no list until the server says where', () => {
    const { store } = world(makeAlert('a'), makeAlert('b'));
    const own = store.begin([makeAlert('a'), makeAlert('b')], byMe);
    store.change('b', 2, byAnna);
    store.batch(() => {
      store.lose(own, 'a');
      store.lose(own, 'b');
      store.end(own);
    });
    // Of the second that is known already.
    expect([store.read('a'), store.read('b')?.ownerId]).toEqual([undefined, 'anna']);
    store.change('a', 2, byAnna);
    expect(store.read('a')?.ownerId).toBe('anna');
  });

  test('a deletion that can be undone hides the alert, whatever comes, and follows it all the same', () => {
    const { store } = world(makeAlert('a'));
    const delayed = store.begin([makeAlert('a')], () => undefined, true);
    store.change('a', 2, byAnna);
    store.change('a', 3, asPending);
    expect([store.read('a'), store.hasUnanswered()]).toEqual([undefined, false]);
    expect(store.delayedAlerts()).toEqual([makeAlert('a', { version: 3 })]);
    expect(store.onServer('a')?.version).toBe(3);
    store.end(delayed);
    expect([store.read('a')?.version, store.delayedAlerts()]).toEqual([3, []]);
  });

  test('an alert that is read after its deletion began is hidden until that is undone', () => {
    const { store } = world();
    const deletion = store.begin([], () => undefined, true, ['a']);
    expect(store.delayedAlerts()).toEqual([]);
    store.learnAnswer([makeAlert('a')], store.moment());
    expect([store.read('a'), store.delayedAlerts()]).toEqual([undefined, [makeAlert('a')]]);
    store.end(deletion);
    expect([store.read('a'), store.delayedAlerts()]).toEqual([makeAlert('a'), []]);
  });

  test('a deletion that the server refuses because it shows the alert no more hides it until it is given back', () => {
    const { store } = world(makeAlert('a'));
    const deletion = store.begin([makeAlert('a')], () => undefined, true);
    store.batch(() => {
      store.lose(deletion, 'a');
      store.end(deletion);
    });
    expect(store.read('a')).toBeUndefined();
    store.learn(makeAlert('a', { version: 3 }));
    expect(store.read('a')?.version).toBe(3);
  });

  test('an answer of many says that they are done; what was made of each comes with its event', () => {
    const { store } = world(makeAlert('a'));
    const own = store.begin([makeAlert('a')], snooze('2026-11-21T10:00:00.000Z'));
    store.batch(() => {
      store.confirm('a', 2, snooze('2026-11-21T10:00:00.000Z'));
      store.end(own);
    });
    expect(store.read('a')?.snoozedUntil).toBe('2026-11-21T10:00:00.000Z');
    expect(store.change('a', 2, snooze('2026-11-21T10:00:03.000Z'))).toBe('known');
    expect(store.read('a')?.snoozedUntil).toBe('2026-11-21T10:00:03.000Z');
  });
});

test('knows nothing of who was signed in before, also not by what was asked for then', () => {
  const { store } = world(makeAlert('a'));
  const askedAt = store.moment();
  const own = store.begin([makeAlert('a')], byMe);
  store.clear();
  expect([store.look('a'), store.hasUnanswered(), store.end(own)]).toEqual([undefined, false, false]);
  store.learnAnswer([makeAlert('a')], askedAt);
  expect(store.look('a')).toBeUndefined();
  store.learnAnswer([makeAlert('a')], store.moment());
  expect(store.look('a')?.alert).toEqual(makeAlert('a'));
});

test('forgets the oldest alerts of no list, but not one that somebody looks at', () => {
  const { store } = world(makeAlert('first'), makeAlert('second'));
  const leave = store.watch('first', () => undefined);
  for (let made = 0; made < 11_000; made += 1) store.learn(makeAlert(`id-${made}`));
  expect([store.look('first') !== undefined, store.look('second')]).toEqual([true, undefined]);
  leave();
});
