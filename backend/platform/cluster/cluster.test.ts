import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { publishedAlert } from '#backend/alerts/alert/alert.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { DomainEvent } from '#backend/platform/live/event-bus.ts';
import { type ReceivedMessage, beginningOf, decodeMessage, encodeMessage } from './cluster-message.ts';
import { createOutbox } from './outbox.ts';
import { createPeers } from './peers.ts';
import { TAKEN_FOR_MS, createKeyNames, createMessageSigning } from './sign-messages.ts';

const stored = (payload: string) => ({
  id: newId(),
  payload,
  extraData: '{}',
  customer: 'Nordwind',
  alertType: null,
  receivedAt: 0,
  url: '/webhook',
  status: 'pending' as const,
  ownerId: null,
  folderId: null,
  sourceId: 's',
  sourceName: 'Grafana',
  sender: null,
  title: 'Läuft heiß 🔥',
  severity: 'high' as const,
  state: 'firing' as const,
  occurrences: 1,
  lastSeenAt: null,
  resolvedAt: null,
  completedAt: null,
  dedupKey: null,
  groupTitle: null,
  previousAlertId: null,
  latestPayload: null,
  snoozedUntil: null,
  wokenAt: null,
  assignment: null,
  assignedByName: null,
  touchedAt: null,
  isTest: false,
  quietById: null,
  quietByName: null,
  groupId: null,
  label: null,
  flappingSince: null,
  rhythm: null,
  version: 1,
});
const newAlert = (payload = '{ "n": 12345678901234567890,\n"payload": "é\\ud83d" }'): DomainEvent => ({
  type: 'new_alert',
  alert: publishedAlert(stored(payload), null),
});
const OWN = { server: 'a', writer: 7 };
const ended: DomainEvent = { type: 'session_ended', sessionId: 'x' };

describe('a message between servers', () => {
  it('carries alerts as they are, however many and whatever is in between', () => {
    const events = [newAlert(), ended, newAlert('{}'), newAlert('{"a":"\\n"}')];
    const text = encodeMessage({ server: 'a', seq: 7, events });
    expect(text.startsWith(beginningOf('a'))).toBe(true);
    const message = decodeMessage(Buffer.from(text).toString());
    expect(message).toMatchObject({ server: 'a', seq: 7, hasUnknown: false });
    expect(JSON.stringify(message?.events)).toBe(JSON.stringify(events));
    const [alert] = message?.events ?? [];
    expect(alert && 'alert' in alert && alert.alert.content.payload).toContain('12345678901234567890,\n');
  });

  it('loses nothing but what this version does not know', () => {
    const later = { ...newAlert(), type: 'alert_painted' } as unknown as DomainEvent;
    const message = decodeMessage(encodeMessage({ server: 'a', seq: 1, events: [later, newAlert('{"b":2}'), ended] }));
    expect(message?.hasUnknown).toBe(true);
    expect(message?.events.map(({ type }) => type)).toEqual(['new_alert', 'session_ended']);
    expect(JSON.stringify(message?.events[0])).toContain('"{\\"b\\":2}"');
  });

  it.each(['', 'no line', '{}\n', '{"server":"a","seq":-1,"events":[]}\n', '{"server":"a"\n', '[]\n'])(
    'is refused when it is none: %j',
    (text) => expect(decodeMessage(text)).toBeUndefined(),
  );

  it('says how long ago a webhook was read, not when by a clock that others do not have', () => {
    const began = performance.now();
    const readAt = began - 500;
    const text = encodeMessage({ server: 'a', seq: 1, events: [{ ...newAlert('{}'), readAt } as DomainEvent] });
    expect(text).not.toContain('readAt');
    const [event] = decodeMessage(text)?.events ?? [];
    const read = event?.type === 'new_alert' ? (event.readAt ?? 0) : 0;
    // The time between the two is on nobody's account.
    expect(read).toBeGreaterThanOrEqual(readAt - 0.001);
    expect(read).toBeLessThanOrEqual(readAt + (performance.now() - began) + 0.001);
  });

  it('that was cut brings no broken text to pages', () => {
    const text = encodeMessage({ server: 'a', seq: 1, events: [newAlert()] });
    expect(decodeMessage(text.slice(0, -5))).toMatchObject({ events: [], hasUnknown: true });
    expect(decodeMessage(`${text.slice(0, -5)}@@@@@`)).toMatchObject({ events: [], hasUnknown: true });
  });
});

const texts = (server = 'a') => encodeMessage({ server, seq: 1, events: [newAlert(), ended] });

describe('a signed message', () => {
  const KEY = Buffer.alloc(32, 7).toString('base64url');
  let now = 1_000_000;
  const signingOf = (key = KEY, channel = 'events') => createMessageSigning(key, channel, () => now);

  it('is read by the release that did not sign, and its heartbeat too', () => {
    for (const text of [texts(), encodeMessage({ server: 'a', seq: 1, events: [] })]) {
      const signed = signingOf().sign(text);
      expect(JSON.stringify(decodeMessage(signed))).toBe(JSON.stringify(decodeMessage(text)));
      expect(signingOf().verify(signed)).toEqual({ message: text });
    }
  });

  it.each([
    ['unsigned', (text: string) => text],
    ['unsigned', () => ''],
    ['unsigned', (text: string) => `${text}\ns1.1.1.short`],
    ['forged', (text: string) => signingOf().sign(text).replace('Nordwind', 'Südwind')],
    [
      'forged',
      (text: string) =>
        signingOf()
          .sign(text)
          .replace(/s1\.\d+/, `s1.${now + 1}`),
    ],
    [
      'forged',
      (text: string) =>
        signingOf()
          .sign(text)
          .replace(/(s1\.\d+)\.1\./, '$1.2.'),
    ],
    ['forged', (text: string) => signingOf(Buffer.alloc(32, 8).toString('base64url')).sign(text)],
    ['forged', (text: string) => signingOf(KEY, 'another installation').sign(text)],
    ['forged', () => signingOf().sign('of no server\n')],
  ])('is dropped as %s', (reason, make) => {
    expect(signingOf().verify(make(texts()))).toEqual({ dropped: reason });
  });

  it('is taken once, in the order in which its server signed, and for a minute', () => {
    const [sender, receiver] = [signingOf(), signingOf()];
    const [first, second, third] = [sender.sign(texts()), sender.sign(texts()), sender.sign(texts())];
    expect(receiver.verify(second)).toHaveProperty('message');
    expect(receiver.verify(second)).toEqual({ dropped: 'replayed' });
    expect(receiver.verify(first)).toEqual({ dropped: 'replayed' });
    // Another server numbers for itself.
    expect(receiver.verify(signingOf().sign(texts('b')))).toHaveProperty('message');
    now += TAKEN_FOR_MS + 1;
    expect(receiver.verify(third)).toEqual({ dropped: 'late' });
    // A server that starts knows no numbers.
    expect(signingOf().verify(second)).toEqual({ dropped: 'late' });
    expect(receiver.verify(sender.sign(texts()))).toHaveProperty('message');
  });

  it('names what is counted so that nobody reads it', () => {
    const nameOf = createKeyNames(KEY);
    expect(nameOf('sign-in', 'anna@example.com')).toMatch(/^[\w-]{22}$/);
    expect(nameOf('sign-in', 'anna@example.com')).toBe(createKeyNames(KEY)('sign-in', 'anna@example.com'));
    expect(nameOf('sign-in', 'anna@example.com')).not.toBe(nameOf('forgot', 'anna@example.com'));
  });
});

describe('the outbox', () => {
  it('sends one message at a time, with what came meanwhile, in order', async () => {
    const sent: string[][] = [];
    let inFlight = 0;
    const outbox = createOutbox(
      OWN,
      async (text) => {
        inFlight += 1;
        expect(inFlight).toBe(1);
        await wait(2);
        inFlight -= 1;
        sent.push(decodeMessage(text)?.events.map((event) => ('sessionId' in event ? event.sessionId : '')) ?? []);
      },
      () => 1,
    );
    for (let count = 0; count < 50; count += 1) {
      outbox.add([{ type: 'session_ended', sessionId: `${count}` }], count + 1);
      if (count % 7 === 0) await wait(1);
    }
    await outbox.stop();
    expect(sent.flat()).toEqual(Array.from({ length: 50 }, (_, count) => `${count}`));
    expect(sent.length).toBeLessThan(20);
  });

  it('says to who comes later that something was before', async () => {
    const sent: ReceivedMessage[] = [];
    const outbox = createOutbox(OWN, async (text) => void sent.push(decodeMessage(text) as ReceivedMessage));
    outbox.beat();
    await wait(10);
    outbox.skip();
    outbox.beat();
    await wait(10);
    outbox.add([ended], 0);
    await outbox.stop();
    expect(sent.map(({ seq, events }) => [seq, events.length])).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
    ]);
    for (const first of sent.slice(1)) expect(createPeers().receive(first).isGap).toBe(true);
  });

  it('lets everything go that waits for others too long, and says so by its numbers', async () => {
    const sent: ReceivedMessage[] = [];
    const { promise: hangs, resolve: goOn } = Promise.withResolvers<void>();
    const outbox = createOutbox(
      OWN,
      async (text) => {
        sent.push(decodeMessage(text) as ReceivedMessage);
        await hangs;
      },
      () => 0,
    );
    outbox.add([ended], 0);
    await wait(1);
    const large = newAlert(`"${'x'.repeat(1024 * 1024)}"`);
    for (let count = 0; count < 40; count += 1) outbox.add([large], 0);
    for (let count = 0; count < 12_000; count += 1) outbox.add([ended], 0);
    goOn();
    await outbox.stop();
    const events = sent.reduce((sum, one) => sum + one.events.length, 0);
    expect(events).toBeLessThanOrEqual(5_001);
    const peers = createPeers();
    expect(sent.map((one) => peers.receive(one).isGap).filter(Boolean)).toHaveLength(1);
  });
});
