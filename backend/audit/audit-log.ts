import { newId } from '#backend/database/ids.ts';
import type { EntityManager } from 'typeorm';
import type { AuditAction } from '#backend/contract/audit-entry.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import { AuditEntity } from './audit-entity.ts';

/** Who does something, for the audit trail. */
export interface Author {
  id: string | null;
  name: string;
  ip: string | null;
  /** The session by which they ask (its stored hash); null for the command line and who is not signed in. */
  sessionId: string | null;
}

/** Whoever sits at the server's own command line. */
export const COMMAND_LINE: Author = { id: null, name: 'command line', ip: null, sessionId: null };

/** A member at work, from where they ask. */
export const authorOf = (actor: Actor, ip: string): Author => ({
  id: actor.id,
  name: actor.email,
  ip,
  sessionId: actor.sessionId,
});

/** Longest name that is kept, in characters: as long as an e-mail may be. */
const MAX_NAME = 254;

/** Writes down what `author` did, in the transaction in which they did it. Returns the entry's id. */
export async function addAudit(
  tx: EntityManager,
  author: Omit<Author, 'sessionId'>,
  action: AuditAction,
  subject: string | null = null,
): Promise<string> {
  const id = newId();
  await tx.getRepository(AuditEntity).insert({
    id,
    action,
    actorId: author.id,
    actorName: author.name.slice(0, MAX_NAME).toWellFormed(),
    subject: subject?.slice(0, MAX_NAME).toWellFormed() ?? null,
    ip: author.ip,
    times: 1,
    createdAt: Date.now(),
  });
  return id;
}

/** Says anew what an entry is about: for work that goes on over several transactions. */
export async function changeAuditSubject(tx: EntityManager, id: string, subject: string): Promise<void> {
  await tx.getRepository(AuditEntity).update({ id }, { subject });
}
