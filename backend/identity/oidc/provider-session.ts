import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { OidcProviders } from './providers.ts';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';

/** A longer ID token is not kept, in characters: signing out at the provider then asks the person. */
const MAX_ID_TOKEN = 16_000;

/** An ID token names its member: it is sealed for them alone. */
export const idTokenOwner = (userId: string): string => `id-token:${userId}`;

/** The ID token as it is stored with the session that it began; null for one that is too long to keep. */
export const sealIdToken = ({ sealing }: { sealing: Sealing }, userId: string, idToken: string): string | null =>
  idToken.length > MAX_ID_TOKEN ? null : sealing.seal(idToken, idTokenOwner(userId));

/**
 * Where signing out of this session goes on: at the provider that it was begun by, where its configuration says so
 * (OpenID Connect RP-Initiated Logout 1.0). Undefined for every other session. To be asked before the session ends; the provider is
 * asked when the address is, so that a session ends whether or not the provider is there.
 */
export async function signOutOf(
  { database, oidc, sealing }: { database: Database; oidc: OidcProviders; sealing: Sealing },
  sessionId: string,
  userId: string,
): Promise<(() => Promise<string | undefined>) | undefined> {
  const session = await database.reads.getRepository(SessionEntity).findOne({
    select: { id: true, provider: true, idToken: true },
    where: { id: sessionId },
  });
  const provider = oidc.list.find(({ id, signOut }) => signOut && id === session?.provider);
  if (!session || !provider) return undefined;
  return () => oidc.signOutAddress(provider, openIdToken(sealing, userId, session.idToken));
}

/** The ID token of a session. Undefined without one, and for one that cannot be decrypted: data were restored without their secrets. */
export function openIdToken(sealing: Sealing, userId: string, sealed: string | null): string | undefined {
  if (sealed === null) return undefined;
  try {
    return sealing.open(sealed, idTokenOwner(userId));
  } catch {
    return undefined;
  }
}
