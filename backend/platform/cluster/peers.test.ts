import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '#backend/platform/live/event-bus.ts';
import type { ReceivedMessage } from './cluster-message.ts';
import { createPeers } from './peers.ts';

const listens = (sessionId: string, isListening: boolean): DomainEvent => ({
  type: 'session_listening',
  sessionId,
  userId: `user of ${sessionId}`,
  isListening,
});

const ended: DomainEvent = { type: 'session_ended', sessionId: 'x' };
const messageOf = (
  seq: number,
  { events = [ended], ...more }: Partial<Omit<ReceivedMessage, 'groups'>> = {},
): ReceivedMessage => ({
  server: 'a',
  seq,
  events,
  groups: events.map((event) => ({ number: 0, events: [event] })),
  hasUnknown: false,
  ...more,
});

describe('peers', () => {
  it('take what is next, nothing twice, and notice what is missing', () => {
    const peers = createPeers();
    const takes = (one: ReceivedMessage) => {
      const { groups, isGap } = peers.receive(one);
      return [groups.length, isGap];
    };
    expect(takes(messageOf(0, { events: [] }))).toEqual([0, false]);
    expect(takes(messageOf(1))).toEqual([1, false]);
    expect(takes(messageOf(1))).toEqual([0, false]);
    expect(takes(messageOf(1, { events: [] }))).toEqual([0, false]);
    expect(takes(messageOf(3))).toEqual([1, true]);
    // By a heartbeat alone, and then no more.
    expect(takes(messageOf(5, { events: [] }))).toEqual([0, true]);
    expect(takes(messageOf(5, { events: [] }))).toEqual([0, false]);
    expect(takes(messageOf(4))).toEqual([0, false]);
    expect(takes(messageOf(6, { hasUnknown: true, events: [] }))).toEqual([0, true]);
    // Of a server that was there before this one, and of one that starts.
    expect(takes(messageOf(9, { server: 'b' }))).toEqual([1, true]);
    expect(takes(messageOf(1, { server: 'c' }))).toEqual([1, false]);
  });

  it('take nothing twice of a server that was silent, and miss nothing of it', () => {
    let now = 0;
    const peers = createPeers(() => now);
    peers.receive(messageOf(1));
    peers.receive(messageOf(2, { server: 'b' }));
    // Frozen for 10 s: what it had sent, and does not know to have arrived, comes again through the database.
    for (; now < 10_000; now += 1_000) peers.count();
    expect(peers.count()).toBe(0);
    expect(peers.receive(messageOf(1))).toEqual({ groups: [], isGap: false, isNewPeer: true });
    expect(peers.receive(messageOf(2))).toMatchObject({ groups: [{}], isGap: false, isNewPeer: false });
    expect(peers.receive(messageOf(4, { server: 'b' }))).toMatchObject({ groups: [{}], isGap: true });
  });

  it('know who listens, until a server leaves or is silent', () => {
    let now = 0;
    const peers = createPeers(() => now);
    peers.receive(messageOf(1, { events: [listens('one', true), listens('two', true)] }));
    peers.receive(messageOf(2, { events: [listens('two', false)] }));
    expect([peers.isListening('one'), peers.isListening('two')]).toEqual([true, false]);
    peers.receive(messageOf(2, { events: [], listening: [['three', 'user of three']] }));
    expect([...peers.onlineMembers()]).toEqual(['user of three']);
    peers.receive(messageOf(1, { server: 'b', events: [listens('four', true)] }));
    peers.receive(messageOf(1, { server: 'b', events: [], leaves: true }));
    expect([peers.count(), peers.isListening('four')]).toEqual([1, false]);
    for (; now < 6_000; now += 1_000) peers.count();
    expect([peers.count(), peers.isListening('three')]).toEqual([0, false]);
  });

  it('keep who listens while this server itself was stalled, until it has looked for 5 s', () => {
    let now = 0;
    const peers = createPeers(() => now);
    peers.receive(messageOf(1, { events: [listens('one', true)] }));
    // What was sent meanwhile is read after this.
    now = 60_000;
    expect([peers.isListening('one'), peers.count()]).toEqual([true, 1]);
    for (; now < 63_000; now += 1_000) expect(peers.count()).toBe(1);
    now += 1_000;
    expect(peers.isListening('one')).toBe(false);
  });
});
