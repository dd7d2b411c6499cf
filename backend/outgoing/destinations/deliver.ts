import { type MailTransport, sendInTime } from '#backend/platform/mail/mail-transport.ts';
import { deliverLive } from './deliver-live.ts';
import { type TicketMessageState, deliverTicket, tryTicket } from './deliver-ticket.ts';
import type { Target } from './destination-entity.ts';
import { type Verdict, judgeAnswer, judgeError, oneLine } from './judge-answer.ts';
import { KINDS } from './kinds/all-kinds.ts';
import type { KindModule, RenderedMessage, RenderedRequest } from './kinds/kind.ts';
import type { TicketModule } from './kinds/ticket.ts';
import { withoutSecrets } from './mask-secrets.ts';
import { type HttpAnswer, type Post, TOTAL_MS } from './post.ts';

/** What is sent in one attempt. `live` is what is known of the live message or the ticket of the alert; absent of a test. */
type SentMessage = Omit<RenderedMessage, 'now'> & { live?: TicketMessageState };

/** Makes one attempt to bring a message to a destination. It never throws. */
export type Deliver = (
  target: Target,
  message: SentMessage,
  stopping: AbortSignal,
) => Promise<Verdict & { durationMs: number }>;

/** Dependencies of a delivery attempt. */
interface DeliverDeps {
  post: Pick<Post, 'send'>;
  /** Undefined where no mail server is configured. */
  mail: Pick<MailTransport, 'send'> | undefined;
  /** What was made in a ticket system is found after so long at most, in milliseconds; for tests. */
  ticketSettleMs?: number | undefined;
}

export function createDeliver({ post, mail, ticketSettleMs }: DeliverDeps): Deliver {
  const attempt = async (target: Target, sent: SentMessage, stopping: AbortSignal): Promise<Verdict> => {
    const kind = KINDS[target.kind];
    const message = { ...sent, now: Date.now() };
    // All requests of an attempt together take no longer than one may.
    const until = AbortSignal.any([stopping, AbortSignal.timeout(TOTAL_MS)]);
    const send = (request: RenderedRequest): Promise<HttpAnswer> => post.send(request, until);
    const bring = async (to: Target): Promise<{ verdict: Verdict; room: string | undefined }> => {
      let room: string | undefined;
      const observed = async (request: RenderedRequest): Promise<HttpAnswer> => {
        const answer = await send(request);
        room = kind.movedTo?.(answer.status, answer.body) ?? room;
        return answer;
      };
      const deps = { target: to, message, send: observed };
      const verdict = isTicketModule(kind)
        ? await (sent.live
            ? deliverTicket({ kind, ...deps, settleMs: ticketSettleMs ?? kind.ticket.settleMs }, sent.live)
            : tryTicket({ kind, ...deps }))
        : // About several alerts: a message of its own, which stays as it is.
          kind.live && sent.live && sent.payload.data.group === undefined
          ? await deliverLive({ kind, live: kind.live, ...deps }, sent.live)
          : await bringOnce(kind, to, message, observed, { mail, stopping });
      return { verdict, room };
    };
    const { verdict, room } = await bring(target);
    if (room === undefined) return verdict;
    const moved = (await bring({ ...target, room })).verdict;
    if (moved.outcome !== 'sent') return moved;
    return { ...moved, answer: `${moved.answer}: sent to ${room}, which took the place of ${target.room}` };
  };
  return async (target, message, stopping) => {
    const began = performance.now();
    const verdict = await attempt(target, message, stopping).catch(judgeError);
    const answer = withoutSecrets(target, verdict.answer);
    return { ...verdict, answer, durationMs: Math.round(performance.now() - began) };
  };
}

const isTicketModule = (kind: KindModule): kind is TicketModule => kind.ticket !== undefined;

/** Sends a message that stays as it is. */
async function bringOnce(
  kind: KindModule,
  target: Target,
  message: RenderedMessage,
  send: (request: RenderedRequest) => Promise<HttpAnswer>,
  { mail, stopping }: Pick<DeliverDeps, 'mail'> & { stopping: AbortSignal },
): Promise<Verdict> {
  const rendered = kind.render(target, message);
  if (rendered.via === 'http') return judgeAnswer(kind, await send(rendered), message.now);
  if (!mail) return { outcome: 'retry', answer: 'No mail server is configured. The operator has to set SMTP_URL.' };
  const refused = await sendInTime(mail, rendered.mail, stopping);
  if (!refused) return { outcome: 'retry', answer: 'The server stopped before the mail server had answered.' };
  const taken = 'taken by the mail server';
  if (refused.length === 0) return { outcome: 'sent', answer: taken };
  // Sent again, the others would have it twice.
  const missed = oneLine(refused.map(({ address, answer }) => `${address} (${answer})`).join(', '));
  return { outcome: 'sent', answer: oneLine(`${taken}, but not for ${missed}`), missed };
}
