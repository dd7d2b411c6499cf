import type { DomainEvent } from '#backend/platform/live/event-bus.ts';
import type { Listening, ReceivedGroup, ReceivedMessage } from './cluster-message.ts';

/** A server that was silent for so long has no pages any more, as far as others know, in milliseconds. */
const SILENT_MS = 5_000;

/**
 * Of a longer time between two looks at the others, so much counts, in milliseconds: this server looks each second, unless it
 * was stalled itself, and then what they sent meanwhile is yet to be read.
 */
const MAX_PAUSE_MS = 2_000;

/** Of so many servers it is known up to where their messages came; an id is of one start of a server. */
const MAX_SERVERS = 1_000;

/** The other servers, as far as their messages say. */
export interface Peers {
  /**
   * Takes a message in. Returns what is new in it, and whether something before it is missing. A message that came before, on
   * another path, has no news.
   */
  receive(message: ReceivedMessage): { groups: readonly ReceivedGroup[]; isGap: boolean; isNewPeer: boolean };
  /** Whether a page of this session is connected to one of them. */
  isListening(sessionId: string): boolean;
  /** Ids of members of whom a page is connected to one of them. */
  onlineMembers(): Set<string>;
  /** How many there are. */
  count(): number;
  /** Whether one of them is of a release that does not write down what it changes. */
  hasSilent(): boolean;
}

interface Peer {
  seenAt: number;
  isSilent: boolean;
  listening: Map<string, string>;
}

/** @param now a clock that never goes back, in milliseconds. */
export function createPeers(now: () => number = () => performance.now()): Peers {
  let lookedAt = now();
  let awakeMs = 0;
  /** How long this server has been awake, in milliseconds. */
  const awake = (): number => {
    const at = now();
    awakeMs += Math.min(at - lookedAt, MAX_PAUSE_MS);
    lookedAt = at;
    return awakeMs;
  };
  const peers = new Map<string, Peer>();
  /** Up to where each server was received, longest unheard first. One that was silent may send again what had come before. */
  const received = new Map<string, number>();

  const current = (): Peer[] => {
    const at = awake();
    for (const [id, { seenAt }] of peers) if (at - seenAt > SILENT_MS) peers.delete(id);
    return [...peers.values()];
  };
  const noteListening = (peer: Peer, events: readonly DomainEvent[], all: Listening | undefined): void => {
    for (const event of events) {
      if (event.type !== 'session_listening') continue;
      if (event.isListening) peer.listening.set(event.sessionId, event.userId);
      else peer.listening.delete(event.sessionId);
    }
    if (all) peer.listening = new Map(all);
  };

  return {
    receive({ server, seq, events, groups, writer, listening, leaves = false, hasUnknown }) {
      const known = peers.get(server);
      const hasEvents = events.length > 0 || hasUnknown;
      // What has no events names the last message that had some.
      const before = received.get(server) ?? 0;
      const isNews = hasEvents && seq > before;
      const expected = before + (isNews ? 1 : 0);
      const isGap = seq > expected || (isNews && hasUnknown);
      const peer: Peer = known ?? { seenAt: 0, isSilent: writer === undefined, listening: new Map() };
      received.delete(server);
      received.set(server, Math.max(before, seq));
      for (const id of received.keys()) if (received.size > MAX_SERVERS) received.delete(id);
      peer.seenAt = awake();
      noteListening(peer, isNews ? events : [], listening);
      if (leaves) peers.delete(server);
      else peers.set(server, peer);
      return { groups: isNews ? groups : [], isGap, isNewPeer: !known && !leaves };
    },
    isListening: (sessionId) => current().some(({ listening }) => listening.has(sessionId)),
    onlineMembers: () => new Set(current().flatMap(({ listening }) => Array.from(listening.values()))),
    count: () => current().length,
    hasSilent: () => current().some(({ isSilent }) => isSilent),
  };
}
