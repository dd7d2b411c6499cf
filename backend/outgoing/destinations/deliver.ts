import type { MailTransport } from '#backend/platform/mail/mail-transport.ts';
import type { Target } from './destination-entity.ts';
import { type Verdict, judgeAnswer, judgeError } from './judge-answer.ts';
import { KINDS } from './kinds/all-kinds.ts';
import type { RenderedMessage } from './kinds/kind.ts';
import { type Post, TOTAL_MS } from './post.ts';

/** Makes one attempt to bring a message to a destination. It never throws. */
export type Deliver = (
  target: Target,
  message: Omit<RenderedMessage, 'now'>,
  stopping: AbortSignal,
) => Promise<Verdict & { durationMs: number }>;

/** Dependencies of a delivery attempt. */
interface DeliverDeps {
  post: Pick<Post, 'send'>;
  /** Undefined where no mail server is configured. */
  mail: Pick<MailTransport, 'send'> | undefined;
}

export function createDeliver({ post, mail }: DeliverDeps): Deliver {
  const attempt = async (
    target: Target,
    message: Omit<RenderedMessage, 'now'>,
    stopping: AbortSignal,
  ): Promise<Verdict> => {
    const kind = KINDS[target.kind];
    const now = Date.now();
    const rendered = kind.render(target, { ...message, now });
    if (rendered.via === 'http') {
      const answer = await post.send(rendered, stopping);
      const room = kind.movedTo?.(answer.status, answer.body);
      if (room === undefined) return judgeAnswer(kind, answer, now);
      // Both requests together take no longer than one may.
      const rest = AbortSignal.timeout(Math.max(1, TOTAL_MS - (Date.now() - now)));
      const moved = kind.render({ ...target, room }, { ...message, now });
      if (moved.via !== 'http') return judgeAnswer(kind, answer, now);
      const verdict = judgeAnswer(kind, await post.send(moved, AbortSignal.any([stopping, rest])), now);
      if (verdict.outcome !== 'sent') return verdict;
      return { ...verdict, answer: `${verdict.answer}: sent to ${room}, which took the place of ${target.room}` };
    }
    if (!mail) return { outcome: 'retry', answer: 'No mail server is configured. The operator has to set SMTP_URL.' };
    await mail.send(rendered.mail);
    return { outcome: 'sent', answer: 'taken by the mail server' };
  };
  return async (target, message, stopping) => {
    const began = performance.now();
    const verdict = await attempt(target, message, stopping).catch(judgeError);
    const answer = withoutSecrets(target, verdict.answer);
    return { ...verdict, answer, durationMs: Math.round(performance.now() - began) };
  };
}

/** A service may repeat what it was sent, and errors name addresses. */
const withoutSecrets = ({ secrets }: Target, answer: string): string =>
  Object.values(secrets).reduce<string>(
    (text, secret: string) => (secret === '' ? text : text.replaceAll(secret, '••••')),
    answer,
  );
