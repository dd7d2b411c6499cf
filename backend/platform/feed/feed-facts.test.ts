import { expect, test } from 'vitest';
import { NO_PROBLEM, publishedAlert } from '#backend/alerts/alert/alert.ts';
import type { Change } from '#backend/platform/live/event-bus.ts';
import { eventsOf, factsText, parseFacts } from './feed-facts.ts';

const alertOf = (id: string) =>
  publishedAlert(
    {
      ...NO_PROBLEM,
      id,
      receivedAt: 0,
      status: 'pending',
      customer: null,
      alertType: null,
      url: '/webhook',
      payload: '{}',
      extraData: '{}',
      ownerId: null,
      folderId: null,
      sourceName: null,
    },
    null,
  );

test('neighbors that differ in their alert alone are one fact, without the moment that counts in one process', () => {
  const changes: Change[] = [
    { type: 'new_alert', alert: alertOf('1'), readAt: 1 },
    { type: 'new_alert', alert: alertOf('2'), readAt: 2 },
    { type: 'new_alert', alert: alertOf('3'), quiet: true, readAt: 3 },
    { type: 'new_alert', alert: alertOf('4'), quiet: true },
    { type: 'new_alert', alert: alertOf('9'), quiet: true, isGiven: true, readAt: 9 },
    { type: 'alert_updated', alert: alertOf('5'), reason: 'repeated' },
    { type: 'alert_updated', alert: alertOf('6'), reason: 'repeated' },
    { type: 'alert_updated', alert: alertOf('7'), reason: 'resolved' },
    { type: 'members_changed' },
    { type: 'new_alert', alert: alertOf('8') },
  ];
  expect(parseFacts(factsText(changes))).toEqual([
    { type: 'new_alert', alertIds: ['1', '2'] },
    { type: 'new_alert', alertIds: ['3', '4'], quiet: true },
    { type: 'new_alert', alertIds: ['9'], quiet: true, isGiven: true },
    { type: 'alert_updated', alertIds: ['5', '6'], reason: 'repeated' },
    { type: 'alert_updated', alertIds: ['7'], reason: 'resolved' },
    { type: 'members_changed' },
    { type: 'new_alert', alertIds: ['8'] },
  ]);
});

test('what a rule assigns is written as new: a server of a release before it sends it on', () => {
  const given: Change = { type: 'new_alert', alert: alertOf('1'), quiet: true, isGiven: true };
  expect(JSON.parse(factsText([given]))).toEqual([{ type: 'new_alert', isGiven: true, alertIds: ['1'] }]);
});

test('alerts that have a title now are one event, for which none of them is read', async () => {
  const retitled: Change = { type: 'alerts_retitled', alertIds: ['1', '2'] };
  expect(await eventsOf([retitled], () => expect.unreachable('alerts were read'))).toEqual([retitled]);
});
