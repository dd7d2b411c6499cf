import type { OutgoingEvent } from '#backend/contract/outgoing.ts';
import type { Target } from './destination-entity.ts';
import { type Verdict, judgeAnswer } from './judge-answer.ts';
import type { KindModule, LiveKind, RenderedMessage, RenderedRequest } from './kinds/kind.ts';
import type { HttpAnswer } from './post.ts';

/** What is known of a problem's message when something of it is sent. */
export interface LiveState {
  /** What happened: `update` for what only changes the message. */
  event: OutgoingEvent | 'update';
  /** What the service calls the message; null where there is none yet. */
  remote: string | null;
  /** It was tried before, and the answer may be unknown: a reply is looked for before it is posted. */
  isRepeat: boolean;
  /** The message may be there although nobody knows what it is called: it is looked for before it is posted. */
  mayBeThere: boolean;
}

interface LiveDeps {
  kind: KindModule;
  live: LiveKind;
  target: Target;
  message: RenderedMessage;
  send: (request: RenderedRequest) => Promise<HttpAnswer>;
}

/** What must be noticed although its message is there already: a change in place notifies nobody. */
const NOTICED: ReadonlySet<LiveState['event']> = new Set(['new', 'escalated', 'note']);

/**
 * Brings the message of a problem up to date, and posts it where there is none. Notes, and what must be noticed, follow below it.
 * Whatever is done twice is the same again: a change in place by itself, a post because it is looked for first.
 */
export async function deliverLive(deps: LiveDeps, state: LiveState): Promise<Verdict> {
  const { kind, live, target, message, send } = deps;
  const judge = (answer: HttpAnswer): Verdict => judgeAnswer(kind, answer, message.now);
  const found = state.remote === null && state.mayBeThere ? await find(deps, null) : undefined;
  let remote = state.remote ?? found?.remote;
  const wasThere = remote !== undefined && found?.isOwn !== true;
  let verdict: Verdict = { outcome: 'sent', answer: 'is as it was' };
  let isGone = false;
  // A note changes nothing of the message that it follows.
  if (remote !== undefined && !(state.event === 'note' && state.remote !== null)) {
    const answer = await send(live.card(target, message, remote));
    const status = kind.statusOf?.(answer.status, answer.body) ?? answer.status;
    isGone = await isGoneBy(deps, remote, answer);
    verdict = judge(answer);
    if (isGone) remote = undefined;
    else if (live.isUnchanged?.(status, answer.body)) verdict = { outcome: 'sent', answer: 'shows it already' };
    else if (verdict.outcome !== 'sent') return { ...verdict, remote };
  }
  if (remote === undefined && state.event === 'update') {
    return { outcome: 'sent', answer: 'the message is gone there', remote: null };
  }
  if (remote === undefined) {
    const answer = await send(live.card(target, message, null));
    verdict = judge(answer);
    if (verdict.outcome !== 'sent') return { ...verdict, ...(isGone && { remote: null }) };
    remote = live.postedAs(answer.body);
    // It is there, but nothing can change it: what follows is posted again.
    if (remote === undefined) return { ...verdict, ...(isGone && { remote: null }) };
  }
  const isBelow = state.event === 'note' || (NOTICED.has(state.event) && wasThere && !isGone);
  if (!isBelow) return { ...verdict, remote };
  if (state.isRepeat && (await find(deps, remote)) !== undefined) return { ...verdict, remote };
  const request = live.reply?.(target, message, remote) ?? kind.render(target, message);
  if (request.via !== 'http') return { ...verdict, remote };
  const answer = await send(request);
  // What was known to be there is not: the message is posted again, and this below it, where it still must be.
  if (state.remote !== null && (await isGoneBy(deps, state.remote, answer))) {
    return { remote: null, ...(await deliverLive(deps, { ...state, remote: null })) };
  }
  return { ...judge(answer), remote };
}

/** Whether a message is gone, by what a request about it was answered. Where that does not say it, the message is asked for. */
async function isGoneBy({ kind, live, target, send }: LiveDeps, remote: string, answer: HttpAnswer): Promise<boolean> {
  const says = ({ status, body }: HttpAnswer) => live.isGone(kind.statusOf?.(status, body) ?? status, body);
  if (says(answer)) return true;
  const request = live.look?.(target, remote, answer.status);
  return request !== undefined && says(await send(request));
}

/** What an earlier attempt posted. Where the service does not let anybody look, nothing. */
async function find({ kind, live, target, message, send }: LiveDeps, remote: string | null) {
  const search = live.find?.(target, message, remote);
  if (!search) return undefined;
  const { status, body } = await send(search.request);
  const isRead = (kind.statusOf?.(status, body) ?? status) === 200;
  return isRead ? search.read(body) : undefined;
}
