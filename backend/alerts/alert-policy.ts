import type { Role } from '#backend/contract/session.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import type { StoredAlert } from './alert-entity.ts';

/** Roles that may see every alert, unaccept anybody's and delete anywhere. */
export const SEES_EVERYTHING = ['admin', 'super_user'] as const satisfies Role[];
export const seesEverything = ({ role }: Pick<Actor, 'role'>): boolean =>
  (SEES_EVERYTHING as readonly Role[]).includes(role);

/** The inbox is everybody's; an accepted alert is its owner's, and of those who see everything. */
export const canSee = (actor: Actor, alert: StoredAlert): boolean =>
  alert.status === 'pending' || alert.ownerId === actor.id || seesEverything(actor);

/** Back to the inbox: by the owner, or by who sees everything. */
export const canUnaccept = (actor: Actor, alert: StoredAlert): boolean =>
  alert.ownerId === actor.id || seesEverything(actor);

/** The status is the owner's to set. */
export const canChangeStatus = (actor: Actor, alert: StoredAlert): boolean => alert.ownerId === actor.id;

/** In the inbox any member may delete; elsewhere only the roles that see everything. */
export const canDelete = (actor: Actor, alert: StoredAlert): boolean =>
  alert.status === 'pending' || seesEverything(actor);

/** An alert is filed by its owner, in folders of their own. */
export const canMove = (actor: Actor, alert: StoredAlert): boolean => alert.ownerId === actor.id;
