import { expect, test } from 'vitest';
import type { TicketSystem } from '#backend/contract/ticket.ts';
import { markerOf, testMarkerOf } from '#backend/outgoing/destinations/kinds/ticket.ts';
import { markersIn } from './ticket-reports.ts';

const ALERT = '01970000-1234-7abc-8def-0123456789ab';
const text = `Disk full\n\nAlertdesk reference: ${markerOf(ALERT)}`;

const ofTicket = (kind: TicketSystem, ...names: string[]) => [{ kind, id: ALERT, isTest: false, names }];
const project = { id: 15, path_with_namespace: 'acme/ops' };

test.each<[string, object, object[]]>([
  ['Jira', { issue: { id: '10001', key: 'OPS-1', fields: { description: text } } }, ofTicket('jira', '10001', 'OPS-1')],
  [
    'GitHub',
    { issue: { number: 7, body: `<!-- ${markerOf(ALERT)} -->` }, repository: { full_name: 'acme/ops' } },
    ofTicket('github', 'acme/ops#7'),
  ],
  [
    'GitLab, of an issue',
    { object_attributes: { iid: 7, description: text }, project },
    ofTicket('gitlab', 'acme/ops#7', '15#7'),
  ],
  [
    'GitLab, of a comment',
    { object_attributes: { note: 'Hi' }, issue: { iid: 7, description: text }, project },
    ofTicket('gitlab', 'acme/ops#7', '15#7'),
  ],
  ['ServiceNow', { correlation_id: markerOf(ALERT) }, [{ kind: 'servicenow', id: ALERT, isTest: false }]],
  ['Zammad', { ticket: { note: markerOf(ALERT) } }, [{ kind: 'zammad', id: ALERT, isTest: false }]],
  [
    'a ticket that tried a destination',
    { issue: { key: 'OPS-1', fields: { description: testMarkerOf(ALERT) } } },
    [{ kind: 'jira', id: ALERT, isTest: true, names: ['', 'OPS-1'] }],
  ],
  ['a text elsewhere', { message: text, issue: { fields: { summary: text } } }, []],
  ['another type', { issue: { body: [text] } }, []],
])('the marker in a report of %s', (_system, report, expected) =>
  expect(markersIn(JSON.stringify(report))).toEqual(expected),
);

test('a form of GitHub has the report in it; what is no JSON has none', () => {
  const body = JSON.stringify({ correlation_id: markerOf(ALERT) });
  expect(markersIn(String(new URLSearchParams({ payload: body })))).toEqual([
    { kind: 'servicenow', id: ALERT, isTest: false },
  ]);
  expect(markersIn(`${markerOf(ALERT)} is no JSON`)).toEqual([]);
});

test('a ticket may quote markers of others: its own is among those that are read', () => {
  const other = '01970000-1234-7abc-8def-00000000000';
  const quoted = Array.from({ length: 12 }, (_, index) => markerOf(other + index.toString(16))).join(' ');
  const body = JSON.stringify({ correlation_id: `${quoted} ${quoted}\n${markerOf(ALERT)}` });
  const found = markersIn(body).map(({ id }) => id);
  expect(found).toHaveLength(10);
  expect(found.at(-1)).toBe(ALERT);
});
