import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Calendar, type CalendarChange, type NewCalendar, calendarSchema } from '#backend/contract/ladder.ts';
import { wallboardSchema } from '#backend/contract/wallboard.ts';
import { CalendarEntity } from './calendar-entity.ts';
import { callsOf } from '#tests/support/ladder-world.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import type { TestClient } from '#tests/support/test-client.ts';

const on = useOutgoingServer();
const { ladders: world, post } = on;
let nora: TestClient;
let ann: TestClient;
beforeEach(async () => {
  nora = await on.server.signedIn({ displayName: 'Nora Night' });
  ann = await on.server.signedIn({ displayName: 'Ann Ashby' });
});

/** A calendar by which Nora is on every day. */
const alwaysNora = (): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//EN',
    'BEGIN:VEVENT',
    'UID:1@test',
    'DTSTAMP:20260101T000000Z',
    'DTSTART:20200101T000000Z',
    'DURATION:P1D',
    'RRULE:FREQ=DAILY',
    'SUMMARY:On call',
    `ATTENDEE:mailto:${nora.id}@example.com`,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n');

/** A server of a calendar, whose answer changes. */
async function serveCalendar() {
  const answer = { status: 200, body: alwaysNora() };
  const http = createServer((_, response) => response.writeHead(answer.status).end(answer.body));
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  onTestFinished(() => void http.close());
  return { answer, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/secret/basic.ics` };
}

const read = async (answer: Promise<Response>): Promise<Calendar> => calendarSchema.parse(await (await answer).json());
const add = (body: Partial<NewCalendar>) =>
  read(on.admin.send('POST', '/api/outgoing/calendars', { name: crypto.randomUUID(), ...body }));
const change = ({ id }: Calendar, body: CalendarChange) =>
  read(on.admin.send('PATCH', `/api/outgoing/calendars/${id}`, body));
const onOf = ({ shifts }: Calendar) => shifts[0]?.people.map(({ displayName }) => displayName);

test('a file of half a megabyte is taken, when a calendar is made and when it is replaced', async () => {
  const notes = `X-NOTE:"${'x'.repeat(60)}"\r\n`.repeat(7_000);
  const content = alwaysNora().replace('BEGIN:VEVENT', `${notes}BEGIN:VEVENT`);
  expect(content.length).toBeGreaterThan(490_000);
  const calendar = await add({ content });
  expect(onOf(calendar)).toEqual(['Nora Night']);
  expect(onOf(await change(calendar, { content: content.replace('On call', 'On duty') }))).toEqual(['Nora Night']);
});

test('a step notifies who is on by a calendar, and who is on instead', async () => {
  // The wallboard shows the first by name: that of a later attempt of this test comes before that of an earlier one.
  const name = `0 ${Number.MAX_SAFE_INTEGER - Date.now()}`;
  const calendar = await add({ name, content: alwaysNora() });
  expect(onOf(calendar)).toEqual(['Nora Night']);
  const board = wallboardSchema.parse(await (await on.admin.get('/api/wallboard')).json());
  expect(board.onNow).toMatchObject({ calendar: calendar.name, names: ['Nora Night'] });
  const customer = crypto.randomUUID();
  const recipients = [{ kind: 'calendar' as const, id: calendar.id }];
  const steps = [0, 5].map((afterMinutes) => ({ afterMinutes, recipients }));
  await world.addLadder(customer, { steps, repeat: 0, isUrgent: false });
  const alertId = await post({ customer });
  await expect.poll(() => callsOf(nora)).toEqual([alertId]);
  const now = Date.now();
  const override = {
    memberId: ann.id,
    from: new Date(now - 60_000).toISOString(),
    to: new Date(now + 60_000).toISOString(),
  };
  expect(onOf(await change(calendar, { overrides: [override] }))).toEqual(['Ann Ashby']);
  await world.skip(alertId);
  await expect.poll(() => callsOf(ann)).toEqual([alertId]);
  expect(await callsOf(nora)).toEqual([alertId]);
  const used = await on.admin.send('DELETE', `/api/outgoing/calendars/${calendar.id}`);
  expect([used.status, await used.text()]).toEqual([409, expect.stringContaining('is notified by the rule')]);
});

test('a calendar is read from its address; when that fails, the last good copy is used and the reason is said', async () => {
  const served = await serveCalendar();
  const calendar = await add({ url: served.url });
  expect(calendar).toMatchObject({ source: 'address', addressHint: expect.stringContaining('127.0.0.1') });
  expect(JSON.stringify(calendar)).not.toContain('basic.ics');
  expect(onOf(calendar)).toEqual(['Nora Night']);
  const again = () => read(on.admin.send('POST', `/api/outgoing/calendars/${calendar.id}/refresh`));
  served.answer.status = 403;
  expect(await again()).toMatchObject({ failure: expect.stringContaining('403: it may not be read') });
  served.answer.status = 200;
  served.answer.body = '<html>Sign in</html>';
  const failed = await again();
  expect(failed).toMatchObject({ failure: expect.stringContaining('It is no calendar'), readAt: calendar.readAt });
  expect(onOf(failed)).toEqual(['Nora Night']);
  // The server that leads reads it again by itself, once that is due.
  served.answer.body = alwaysNora();
  const { id } = calendar;
  await on.server.database.transaction((tx) => tx.getRepository(CalendarEntity).update({ id }, { nextAt: 0 }));
  const stored = () => on.server.database.reads.getRepository(CalendarEntity).findOneBy({ id });
  await expect.poll(async () => (await stored())?.failure).toBeNull();
});

test('while a new address cannot be read, who is on is known by the copy from the one before', async () => {
  const [served, moved] = [await serveCalendar(), await serveCalendar()];
  const calendar = await add({ url: served.url });
  moved.answer.status = 404;
  const failed = await change(calendar, { url: moved.url });
  expect(failed).toMatchObject({ failure: expect.stringContaining('404'), readAt: calendar.readAt });
  expect(onOf(failed)).toEqual(['Nora Night']);
  moved.answer.status = 200;
  moved.answer.body = alwaysNora().replaceAll(nora.id, ann.id);
  const corrected = await change(calendar, { url: moved.url });
  expect([corrected.failure, onOf(corrected)]).toEqual([undefined, ['Ann Ashby']]);
});

test('a calendar that was read by a clock ahead is read again as soon as that is corrected', async () => {
  const served = await serveCalendar();
  const { id } = await add({ url: served.url });
  served.answer.body = alwaysNora().replace('On call', 'By the new plan');
  const nextAt = Date.now() + 3 * 24 * 60 * 60_000;
  await on.server.database.transaction((tx) => tx.getRepository(CalendarEntity).update({ id }, { nextAt }));
  const stored = () => on.server.database.reads.getRepository(CalendarEntity).findOneBy({ id });
  await expect.poll(async () => (await stored())?.content).toContain('By the new plan');
});

test('an address inside the network, a text that is no calendar, and an override that ends too early are refused', async () => {
  const refused = async (body: object) => {
    const answer = await on.admin.send('POST', '/api/outgoing/calendars', { name: crypto.randomUUID(), ...body });
    return `${answer.status} ${await answer.text()}`;
  };
  expect(await refused({ url: 'https://10.0.4.7/a.ics' })).toMatch(/^422 .*inside the network/);
  expect(await refused({ content: 'BEGIN:VCARD' })).toMatch(/^422 .*It is no calendar/);
  expect(await refused({})).toMatch(/^422 .*Enter an address or choose a file/);
  const calendar = await add({ content: alwaysNora() });
  const overrides = [{ memberId: ann.id, from: '2026-11-24T08:00:00Z', to: '2026-11-24T08:00:00Z' }];
  const answer = await on.admin.send('PATCH', `/api/outgoing/calendars/${calendar.id}`, { overrides });
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('has to end after it begins')]);
});
