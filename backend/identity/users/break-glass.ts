import type { IdentityConfig } from './identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { commandLine } from '#backend/platform/logger/command-line.ts';
import { conflict } from '#backend/platform/endpoint/errors.ts';
import { emailKey, findUser } from './user.ts';

/** Why this account is changed on the server alone; undefined for every account but that of the break-glass administrator. */
export const lockedBecause = ({ breakGlass }: Pick<IdentityConfig, 'breakGlass'>, email: string): string | undefined =>
  breakGlass === undefined || emailKey(email) !== breakGlass
    ? undefined
    : `This is the break-glass administrator, who can only be changed on the server, with ${commandLine('user')}.`;

/**
 * Refuses to change the break-glass administrator, or to make an account with their e-mail: whoever has taken over the app, or
 * an administrator in it, must not get the one account that is kept for that day. What stands in front of the server's
 * machine protects it instead.
 *
 * @param email of the account that would change, in whatever case
 * @throws {ProblemError} 409
 */
export function refuseBreakGlass(config: Pick<IdentityConfig, 'breakGlass'>, email: string): void {
  const reason = lockedBecause(config, email);
  if (reason !== undefined) throw conflict(reason);
}

/** As {@link refuseBreakGlass}, for the account with this id. An app cannot change its e-mail, so reading it is enough. */
export async function refuseBreakGlassId(
  { config, database }: { config: IdentityConfig; database: Database },
  id: string,
): Promise<void> {
  const user = config.breakGlass === undefined ? null : await findUser(database.reads, id);
  if (user) refuseBreakGlass(config, user.email);
}
