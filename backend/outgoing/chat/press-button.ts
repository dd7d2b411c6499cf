import { changeOneAlert } from '#backend/alerts/commands/alert-commands.ts';
import type { RequestedChange } from '#backend/alerts/commands/apply-command.ts';
import { SERVICE_NAMES } from '#backend/contract/chat-account.ts';
import { mustSetUp } from '#backend/identity/factors/second-steps.ts';
import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import { type User, UserEntity, findUser, findUserByEmail, presentSession } from '#backend/identity/users/user.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { CHAT_SNOOZE_MS, type ChatAction } from '#backend/outgoing/destinations/kinds/chat-actions.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { ProblemError, notSignedIn } from '#backend/platform/endpoint/errors.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import {
  ChatAccountEntity,
  type NamedAccount,
  type StoredChatAccount,
  accountNameOf,
  connectByEmail,
} from './chat-account.ts';
import { connectUrl } from './connect-link.ts';

/** A button that somebody pressed in a chat. Where it comes from was checked. */
export interface Press {
  target: Target;
  alertId: string;
  action: ChatAction;
  /** By which account, as the chat names it. */
  named: NamedAccount;
  ip: string;
}

/** What only who pressed is shown; undefined where the message itself shows what became of it. */
export type Said = { text: string; link?: { url: string; label: string } } | undefined;

/** Dependencies of presses of buttons. */
export interface PressDeps {
  database: Database;
  sealing: Sealing;
  publicUrl: URL | undefined;
  config: Pick<IdentityConfig, 'oidcProviders'>;
  /**
   * Asks the chat for the email of one of its own people, as it has confirmed it; undefined where it does not say.
   *
   * @throws {Error} when it cannot be asked
   */
  emailOf: (target: Target, named: NamedAccount) => Promise<{ email: string | undefined; name: string | undefined }>;
}

const CHANGES: Record<ChatAction, RequestedChange> = {
  accept: { action: 'accept' },
  start: { action: 'accept', status: 'in-progress' },
  complete: { action: 'accept', status: 'completed' },
  snooze: { action: 'snooze', minutes: CHAT_SNOOZE_MS / 60_000 },
};

/** Does what a button says, as the member whose account pressed it: by the same commands, permissions and audit as in the app. */
export async function pressButton(deps: PressDeps, press: Press): Promise<Said> {
  const { database } = deps;
  try {
    const found = await findMember(deps, press);
    if (!('account' in found)) return found.said;
    const { account } = found;
    const caller = { actor: await actorOf(deps, account), ip: press.ip };
    await changeOneAlert({ database }, caller, press.alertId, CHANGES[press.action], undefined, (tx) =>
      hold(tx, account),
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { text: error.message, ...linkTo(deps, `/alert/${press.alertId}`, 'Open in Alertdesk') };
  }
}

const linkTo = ({ publicUrl }: PressDeps, path: string, label: string): { link?: { url: string; label: string } } =>
  publicUrl === undefined ? {} : { link: { url: new URL(path, publicUrl).href, label } };

type Found = { account: StoredChatAccount } | { said: NonNullable<Said> };

/** The member who acts by an account: connected already, or, unless it was disconnected, by the email that the chat has confirmed. */
async function findMember(deps: PressDeps, { target, named, ip }: Press): Promise<Found> {
  const { database } = deps;
  const { service, place, account } = named;
  const known = await database.reads.getRepository(ChatAccountEntity).findOneBy({ service, place, account });
  if (known) return { account: known };
  const { email, name } = await deps.emailOf(target, named).catch(() => ({ email: undefined, name: undefined }));
  const user = email === undefined ? null : await findUserByEmail(database.reads, email);
  const called = { ...named, accountName: accountNameOf(name ?? named.accountName) };
  if (user?.isActive && !user.isService) {
    const author = { id: user.id, name: user.email, ip, sessionId: null };
    const connected = await connectByEmail(database, author, called);
    if (connected) return { account: connected };
    return { said: offer(deps, called, `This ${SERVICE_NAMES[service]} account was disconnected in Alertdesk.`) };
  }
  return { said: offer(deps, called, whyUnknown(service, email)) };
}

const whyUnknown = (service: NamedAccount['service'], email: string | undefined): string =>
  email === undefined
    ? `Alertdesk does not know who you are: ${SERVICE_NAMES[service]} does not say your email.`
    : `Nobody in Alertdesk has your email, ${email}.`;

/** @param text why nobody acts by this account */
function offer({ sealing, publicUrl }: PressDeps, named: NamedAccount, text: string): NonNullable<Said> {
  if (publicUrl === undefined) {
    return { text: `${text} The operator has to set PUBLIC_URL, so that you can connect your account.` };
  }
  return {
    text: `${text} Connect your account once, then press again.`,
    link: { url: connectUrl(sealing, publicUrl, named), label: 'Connect' },
  };
}

/** @throws {ProblemError} 401, 403 when the member may do nothing at the moment */
async function actorOf({ database: { reads }, config }: PressDeps, account: StoredChatAccount): Promise<Actor> {
  const user = await findUser(reads, account.userId);
  if (!user?.isActive) throw ended(user);
  if (await mustSetUp(reads, user, config)) throw notSignedIn('Set up two-step sign-in in Alertdesk first.');
  return {
    ...presentSession(user),
    sessionId: account.id,
    provedAt: 0,
    tokenScope: 'triage',
    tokenName: `${SERVICE_NAMES[account.service]}: ${account.accountName}`,
  };
}

const ended = (user: User | null) =>
  notSignedIn(
    user ? 'Your account in Alertdesk is disabled. Ask an administrator.' : 'Your account in Alertdesk is gone.',
  );

/** What stands behind the change until it is committed: an account that is disconnected, or disabled, changes nothing more. */
async function hold(tx: Transaction, { id, userId }: StoredChatAccount): Promise<void> {
  // In this order, as whoever takes the member's access does.
  const [user] = await tx.holdRows(UserEntity, { id: userId });
  const [account] = await tx.holdRows(ChatAccountEntity, { id });
  if (!account || !user?.isActive) throw ended(user ?? null);
}
