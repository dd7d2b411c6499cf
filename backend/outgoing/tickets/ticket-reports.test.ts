import { expect, test } from 'vitest';
import { markerOf, testMarkerOf } from '#backend/outgoing/destinations/kinds/ticket.ts';
import { markerIn } from './ticket-reports.ts';

const ALERT = '01970000-1234-7abc-8def-0123456789ab';
const text = `Disk full\n\nAlertdesk reference: ${markerOf(ALERT)}`;

test.each<[string, object, object | undefined]>([
  ['Jira', { issue: { fields: { description: text } } }, { alertId: ALERT, isTest: false }],
  ['GitHub', { issue: { body: `<!-- ${markerOf(ALERT)} -->` } }, { alertId: ALERT, isTest: false }],
  ['GitLab, of an issue', { object_attributes: { description: text } }, { alertId: ALERT, isTest: false }],
  [
    'GitLab, of a comment',
    { object_attributes: { note: 'Hi' }, issue: { description: text } },
    { alertId: ALERT, isTest: false },
  ],
  ['ServiceNow', { correlation_id: markerOf(ALERT) }, { alertId: ALERT, isTest: false }],
  ['Zammad', { ticket: { note: markerOf(ALERT) } }, { alertId: ALERT, isTest: false }],
  ['a ticket that tried a destination', { issue: { body: testMarkerOf(ALERT) } }, { alertId: ALERT, isTest: true }],
  ['a text elsewhere', { message: text, issue: { fields: { summary: text } } }, undefined],
  ['another type', { issue: { body: [text] } }, undefined],
])('the marker in a report of %s', (_system, report, expected) =>
  expect(markerIn(JSON.stringify(report))).toEqual(expected),
);

test('a form of GitHub has the report in it; what is no JSON has none', () => {
  const body = JSON.stringify({ issue: { body: markerOf(ALERT) } });
  expect(markerIn(String(new URLSearchParams({ payload: body })))).toEqual({ alertId: ALERT, isTest: false });
  expect(markerIn(`${markerOf(ALERT)} is no JSON`)).toBeUndefined();
});
