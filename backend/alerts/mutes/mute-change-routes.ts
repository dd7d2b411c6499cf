import type { Database } from '#backend/platform/database/database.ts';
import type * as z from 'zod/mini';
import { bulkMuteSchema } from '#backend/contract/mute.ts';
import {
  type Endpoint,
  type Reply,
  type Tag,
  created,
  endpoint,
  noContent,
  ok,
} from '#backend/platform/endpoint/endpoint.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { muteAll, muteOne, unmuteOne } from './mute-all.ts';
import { muteEndOf } from './mute-ends.ts';
import type { MuteKind } from './mute-entities.ts';
import type { MuteQuery } from './name-pages.ts';

/** The dependencies of changing mutes. */
export type MuteContext = { database: Database };

/** Body of a call that mutes one. */
interface MuteBody {
  customerId?: string | undefined;
  alertType?: string | undefined;
  sourceId?: string | undefined;
  until?: string | undefined;
  minutes?: number | undefined;
}

/** What the calls that change mutes of one kind differ in. */
interface MuteChanges {
  kind: MuteKind;
  tag: Tag;
  path: string;
  /** What is muted, in sentences: one of them, and all. */
  words: { one: string; every: string };
  /** The name of the one that is muted in a body and in a path, and the schema that checks it. */
  key: 'customerId' | 'alertType' | 'sourceId';
  input: z.ZodMiniType<Record<string, string>>;
  /** The same in a body, with the mute's end. */
  body: z.ZodMiniType<MuteBody>;
  /** Answers of muting one, and of muting all. */
  responses: { one: z.ZodMiniType; all: z.ZodMiniType };
  /** The error of muting one that is not known. */
  unknown: string;
  /** The member's mutes. */
  answerMutes(userId: string, query: MuteQuery): Promise<Reply<200>>;
}

/** Mute one, mute all or none, and enable one again. */
export function muteChangeRoutes(
  context: MuteContext,
  { kind, tag, path, words, key, input, body: bodySchema, responses, unknown, answerMutes }: MuteChanges,
): Endpoint[] {
  const { database } = context;
  return [
    endpoint({
      method: 'POST',
      path,
      tag,
      summary: `Mutes ${words.one} for the member, for good or until a time; again changes its end.`,
      access: 'member',
      body: bodySchema,
      responses: { 201: responses.one },
      errors: [404],
      handle: async ({ actor, body }) => {
        const one = body[key] ?? '';
        const end = muteEndOf(body);
        if (!(await muteOne(onBehalfOf(database, actor), { kind, userId: actor.id, one, end }))) {
          throw notFound(unknown);
        }
        return created({ [key]: one });
      },
    }),
    endpoint({
      method: 'POST',
      path: `${path}/bulk`,
      tag,
      summary: `Mutes ${words.every} for the member, or none any more, and lists the mutes that are left (10,000 at most).`,
      access: 'member',
      body: bulkMuteSchema,
      responses: { 200: responses.all },
      handle: async ({ actor, body: { muted } }) => {
        await muteAll(onBehalfOf(database, actor), kind, actor.id, muted);
        const { body } = await answerMutes(actor.id, {});
        return ok(body);
      },
    }),
    endpoint({
      method: 'DELETE',
      path: `${path}/:${key}`,
      tag,
      summary: `Lets the member be notified of ${words.one} again.`,
      access: 'member',
      params: input,
      responses: { 204: 'no content' },
      handle: async ({ actor, params }) => {
        await unmuteOne(onBehalfOf(database, actor), kind, actor.id, params[key] ?? '');
        return noContent();
      },
    }),
  ];
}
