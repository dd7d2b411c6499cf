import { z } from 'zod';
import { createAskSender } from './ask-sender.ts';
import {
  type Actual,
  type SilenceQuery,
  type SenderKind,
  type Subject,
  UnknownAlertError,
  isRequestedEnd,
  withoutSlash,
} from './sender-kind.ts';

/**
 * Sentry's API, hosted in one of its regions or by the customer (https://docs.sentry.io/api/events/update-an-issue/): an issue is
 * archived for a number of minutes. A comment says for whom
 * (https://github.com/getsentry/sentry/blob/master/src/sentry/issues/endpoints/group_notes.py).
 */
const API = '/api/0/organizations';

const subjectSchema = z.object({ issueId: z.string() });

const issueAnswer = z.object({
  status: z.string(),
  statusDetails: z.object({ ignoreUntil: z.optional(z.nullable(z.string())) }),
});
type Issue = z.infer<typeof issueAnswer>;
const commentsAnswer = z.array(z.object({ data: z.optional(z.object({ text: z.optional(z.string()) })) }));

const id = z.optional(z.union([z.string(), z.number()]));

/** The issue of a webhook (https://docs.sentry.io/organization/integrations/integration-platform/webhooks/). */
function subjectOf(payload: unknown): Subject | undefined {
  const named = z.optional(z.object({ issue_id: id }));
  const read = z
    .object({ data: z.object({ issue: z.optional(z.object({ id })), event: named, error: named }) })
    .safeParse(payload);
  if (!read.success) return undefined;
  const { issue, event, error } = read.data.data;
  const issueId = String(issue?.id ?? event?.issue_id ?? error?.issue_id ?? '');
  return /^\d+$/.test(issueId) ? { issueId } : undefined;
}

function explain(status: number): string | undefined {
  if (status === 401) return 'The token is wrong or was revoked.';
  if (status === 403) return 'The token lacks the scope event:write, or its integration may not see the project.';
  if (status === 404) return 'There is no organization of this name at this address. Check both, and the region.';
  return undefined;
}

/** Until when it is archived; undefined where it is not, or for good. */
const endOf = ({ status, statusDetails }: Issue): number | undefined =>
  status === 'ignored' && statusDetails.ignoreUntil ? Date.parse(statusDetails.ignoreUntil) : undefined;

const pathOf = ({ subject }: SilenceQuery): string =>
  `/issues/${encodeURIComponent(subjectSchema.parse(subject).issueId)}/`;

/** Sentry: an alert is an issue. */
export const sentry: SenderKind = {
  subjectOf,
  baseOf: (url) => withoutSlash(url).replace(/\/api\/0$/, ''),
  createApi(post, target, stopping) {
    const ask = createAskSender(post, stopping, {
      base: `${sentry.baseOf(target.url)}${API}/${encodeURIComponent(target.user)}`,
      headers: { Authorization: `Bearer ${target.secret}` },
      target,
      explain,
      noSuchApi: 'What answers at this address is no Sentry API.',
    });
    const change = async (query: SilenceQuery, body: object): Promise<Issue> =>
      ask.read(issueAnswer, await ask.send('PUT', pathOf(query), body));
    const hasComment = async (query: SilenceQuery, comment: string): Promise<boolean> =>
      ask
        .read(commentsAnswer, await ask.send('GET', `${pathOf(query)}comments/`))
        .some(({ data }) => data?.text === comment);
    /** What answers whatever is known there. @throws {SenderError} where the address or the account is wrong */
    const readAny = async (): Promise<void> => {
      ask.read(z.array(z.unknown()), await ask.send('GET', '/issues/?limit=1'));
    };
    return {
      async tryOut() {
        await readAny();
        return 'It answers.';
      },
      async read(query): Promise<Actual> {
        const answer = await ask.send('GET', pathOf(query));
        if (answer.status === 404) {
          await readAny();
          throw new UnknownAlertError('Sentry has no such issue in this organization. It may be deleted or merged.');
        }
        const issue = ask.read(issueAnswer, answer);
        const endsAt = endOf(issue);
        const isOurs = endsAt !== undefined && isRequestedEnd(query, endsAt);
        return {
          isOver: issue.status === 'resolved',
          ours: isOurs ? { id: 'issue', endsAt } : undefined,
          isEndedThere: query.madeId !== null && issue.status === 'unresolved',
          isSilencedByOthers: issue.status === 'ignored' && !isOurs,
        };
      },
      async silence(query, { ownerName, comment, now, endsAt }) {
        const isNew = query.madeId === null || query.ownerName !== ownerName;
        if (isNew && !(await hasComment(query, comment))) {
          ask.taken(await ask.send('POST', `${pathOf(query)}comments/`, { text: comment }));
        }
        const issue = await change(query, {
          status: 'ignored',
          substatus: 'archived_until_condition_met',
          statusDetails: { ignoreDuration: Math.max(1, Math.round((endsAt - now) / 60_000)) },
        });
        return { id: 'issue', endsAt: endOf(issue) ?? endsAt };
      },
      end: async (query) => void (await change(query, { status: 'unresolved' })),
    };
  },
};
