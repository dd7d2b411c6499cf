import { expect, it } from 'vitest';
import type { MemberNotice } from './live-event.ts';
import { noticeOfMember, noticeOfReturn, noticeOfWindowEnd, shortLine } from './notices.ts';

const notice = (more: Partial<MemberNotice>): MemberNotice => ({
  id: 'n',
  kind: 'assigned',
  alertId: 'a',
  alertTitle: 'Disk full',
  byName: 'Ann Ashby',
  text: '',
  ...more,
});

it('says who gave what, and leads to it', () => {
  expect(noticeOfMember(notice({}))).toMatchObject({
    title: 'Ann Ashby assigned an alert to you',
    body: 'Disk full',
    path: '/alert/a',
  });
  expect(
    noticeOfMember(notice({ kind: 'handed_over', alerts: 1_200, alertTitle: null, text: 'Call Ines.' })),
  ).toMatchObject({
    title: 'Ann Ashby handed over 1,200 alerts to you',
    body: 'Call Ines.',
    path: '/my-alerts',
  });
  expect(noticeOfMember(notice({ kind: 'mentioned', text: 'look' })).body).toBe('Disk full: look');
});

const titleOf = (more: Partial<MemberNotice>) => noticeOfMember(notice({ kind: 'reassigned', ...more })).title;
it('says who has an alert of the member’s now', () => {
  expect(titleOf({ toName: 'Ben' })).toBe('Ann Ashby gave an alert of yours to Ben');
  expect(titleOf({ toName: 'Ann Ashby', alerts: 3 })).toBe('Ann Ashby took 3 alerts of yours');
});

it('says why alerts are back in the inbox', () => {
  const event = { alerts: 1, alertId: 'a', ownerId: 'o', ownerName: 'Finn' } as const;
  expect(noticeOfReturn({ ...event, untouchedHours: 72 }, 'me')).toMatchObject({
    title: 'An alert is back in the inbox',
    body: 'Finn had not touched it for 3 days',
    path: '/alert/a',
  });
  expect(noticeOfReturn({ ...event, alerts: 2, untouchedHours: 30 }, 'o')).toMatchObject({
    title: '2 alerts are back in the inbox',
    body: 'You had not touched them for 30 hours',
    path: '/',
  });
  expect(noticeOfReturn({ ...event, untouchedHours: null }, 'me').body).toBe('The account of Finn is disabled');
});

it.each([
  [0, 0, undefined, 'No alert arrived meanwhile.'],
  [5, 0, undefined, 'None of 5 still fires.'],
  [5, 1, undefined, '1 of 5 still fires.'],
  [5, 0, 5, '5 of 5 stay quiet by another window.'],
  [5, 0, 1, '1 of 5 stays quiet by another window.'],
  [1_200, 2, 3, '2 of 1,200 still fire, 3 stay quiet by another window.'],
])(
  'says what is left of %i alerts when a window ends: %i firing, %s in another window',
  (kept, stillFiring, moved, body) => {
    const ended = {
      name: 'Patch day',
      kept,
      stillFiring,
      ownerIds: [],
      ...(moved !== undefined && { movedOn: moved }),
    };
    expect(noticeOfWindowEnd(ended)).toEqual({ title: 'Patch day has ended.', body, path: '/' });
  },
);

it('keeps text from outside on one line, in one direction, and short', () => {
  expect(shortLine(' a\nb\u0000\u202Ec\u2066d  e ')).toBe('a b c d e');
  expect(shortLine('𝔊'.repeat(81))).toBe(`${'𝔊'.repeat(79)}…`);
  expect(noticeOfMember(notice({ text: 'x'.repeat(300) })).body).toHaveLength('Disk full: '.length + 200);
});
