import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import type { EntityManager } from 'typeorm';
import type { User } from '#backend/identity/users/user.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import {
  MAX_PASSKEYS,
  type Passkey,
  type PasskeyAssertion,
  type PasskeyAttestation,
} from '#backend/contract/second-step.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict } from '#backend/platform/endpoint/errors.ts';
import { PasskeyEntity, type StoredPasskey } from './second-step-entities.ts';

/** Fetched when the first passkey is used: it takes longer to load than the rest of the sign-in. */
const library = () => import('@simplewebauthn/server');

/** Signatures that are taken, as COSE numbers them: Ed25519, ES256 and RS256, which every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257];

/** How long a browser waits for its authenticator, in milliseconds: as long as the challenge is good. */
const TIMEOUT_MS = 5 * 60_000;

/** What the browser's answer is compared with. */
export interface Expected {
  /** Origin of the server's own pages; empty where it is not known. */
  origin: string;
  challenge: string;
}

/**
 * @throws {ProblemError} 409 where the origin is not known, and under an address of numbers, to which no passkey can belong
 * (WebAuthn Level 3, 5.1.2).
 */
export function relyingPartyOf(origin: string): string {
  if (origin === '') {
    throw conflict('Passkeys take an address that the server knows: an administrator has to set PUBLIC_URL.');
  }
  const { hostname } = new URL(origin);
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) === 0) return hostname;
  throw conflict('Passkeys require a host name, and this page was opened by an IP address. Use an authenticator app.');
}

/** What a browser signed: the challenge it answers, and whether another site's frame asked. */
export function readClientData(clientDataJSON: string): { challenge: string; isCrossOrigin: boolean } | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    if (typeof data !== 'object' || data === null || !('challenge' in data)) return undefined;
    if (typeof data.challenge !== 'string') return undefined;
    return { challenge: data.challenge, isCrossOrigin: 'crossOrigin' in data && data.crossOrigin === true };
  } catch {
    return undefined;
  }
}

/** The challenge that a browser's answer is about: what is stored of it decides whether it is ours. */
export const challengeOf = (credential: PasskeyAssertion | PasskeyAttestation): string | undefined => {
  const data = readClientData(credential.response.clientDataJSON);
  return data?.isCrossOrigin ? undefined : data?.challenge;
};

/** What is stored of a credential's id, to find it by. */
const credentialHashOf = (credentialId: string): string => hash('sha256', credentialId);

/** The passkeys of a member, oldest first. */
export const findPasskeys = (manager: EntityManager, userId: string): Promise<StoredPasskey[]> =>
  manager.getRepository(PasskeyEntity).find({ where: { userId }, order: { id: 'ASC' } });

/** The passkey that a browser used. */
export const findPasskey = (manager: EntityManager, { id }: PasskeyAssertion): Promise<StoredPasskey | null> =>
  manager.getRepository(PasskeyEntity).findOneBy({ credentialHash: credentialHashOf(id) });

/** A passkey as its owner sees it. */
export const presentPasskey = ({ id, name, isSynced, createdAt, lastUsedAt }: StoredPasskey): Passkey => ({
  id,
  name,
  isSynced,
  createdAt: new Date(createdAt).toISOString(),
  lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
});

const describe = ({ credentialId, transports }: StoredPasskey) => ({
  id: credentialId,
  transports: transports.split(',').filter((name) => name !== '') as never[],
});

const challengeBytes = (challenge: string) => new Uint8Array(Buffer.from(challenge, 'base64url'));

/** How a browser is asked to make a passkey; on an authenticator that has one of this member it refuses. */
export async function registrationOptions(
  user: Pick<User, 'id' | 'email' | 'displayName'>,
  existing: StoredPasskey[],
  { origin, challenge }: Expected,
) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: PRODUCT_NAME,
    rpID: relyingPartyOf(origin),
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.displayName,
    challenge: challengeBytes(challenge),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: existing.map(describe),
    // Kept on the authenticator where that can, so that it is enough by itself; a security key without room is a second step.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** What an authenticator has to do beside signing. */
export interface AssertionRules {
  /** It verifies who uses it, by a PIN or biometrics. */
  isVerified?: boolean;
  /** It says whose passkey it is, where nobody was asked. */
  isNamed?: boolean;
}

/**
 * How a browser is asked to use a passkey.
 *
 * @param allowed those of a member who is known; absent, any that its authenticators keep for this server
 */
export async function assertionOptions(
  { origin, challenge }: Expected,
  { isVerified = false }: AssertionRules,
  allowed?: StoredPasskey[],
) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: relyingPartyOf(origin),
    challenge: challengeBytes(challenge),
    timeout: TIMEOUT_MS,
    userVerification: isVerified ? 'required' : 'preferred',
    ...(allowed && { allowCredentials: allowed.map(describe) }),
  });
}

/** Checks a new passkey. Undefined when it is not one of this server, of this challenge and of its own signature. */
export async function verifyAttestation(
  credential: PasskeyAttestation,
  { origin, challenge }: Expected,
): Promise<Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'signCount' | 'isSynced' | 'transports'> | undefined> {
  const { verifyRegistrationResponse } = await library();
  const verified = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} } as never,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: relyingPartyOf(origin),
    supportedAlgorithmIDs: ALGORITHMS,
    requireUserVerification: false,
  }).catch(() => undefined);
  if (!verified?.verified || !verified.registrationInfo) return undefined;
  const { credential: made, credentialBackedUp } = verified.registrationInfo;
  return {
    credentialId: made.id,
    publicKey: Buffer.from(made.publicKey).toString('base64url'),
    signCount: made.counter,
    isSynced: credentialBackedUp,
    transports: (credential.response.transports ?? []).join(','),
  };
}

/** What a passkey's signature proved. */
export interface Assertion {
  passkey: StoredPasskey;
  /** The authenticator's counter, to be compared where it is stored: {@link usePasskey}. */
  signCount: number;
  isSynced: boolean;
}

/**
 * Checks what an authenticator signed. Undefined when it is not by this passkey, for this server and this challenge, or
 * not by these rules.
 */
export async function verifyAssertion(
  credential: PasskeyAssertion,
  passkey: StoredPasskey,
  { origin, challenge }: Expected,
  { isVerified = false, isNamed = false }: AssertionRules,
): Promise<Assertion | undefined> {
  const { userHandle } = credential.response;
  if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId) return undefined;
  if (isNamed && userHandle === undefined) return undefined;
  const { verifyAuthenticationResponse } = await library();
  const verified = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} } as never,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: relyingPartyOf(origin),
    requireUserVerification: isVerified,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      // Compared in the transaction instead, where no other sign-in comes between.
      counter: 0,
    },
  }).catch(() => undefined);
  if (!verified?.verified) return undefined;
  const { newCounter, credentialBackedUp } = verified.authenticationInfo;
  return { passkey, signCount: newCounter, isSynced: credentialBackedUp };
}

/**
 * Notes that a passkey was used, or says why it does not count: it was removed meanwhile, or its counter did not grow
 * though it has one. Then there may be a copy of the authenticator (WebAuthn Level 3, section 7.2, step 22).
 */
export async function usePasskey(
  tx: Transaction,
  { passkey, signCount, isSynced }: Assertion,
): Promise<'second_step_failed' | 'passkey_counter_regressed' | undefined> {
  const [current] = await tx.lockRows(PasskeyEntity, { id: passkey.id });
  if (!current) return 'second_step_failed';
  if ((signCount > 0 || current.signCount > 0) && signCount <= current.signCount) return 'passkey_counter_regressed';
  await tx.getRepository(PasskeyEntity).update({ id: passkey.id }, { signCount, isSynced, lastUsedAt: Date.now() });
  return undefined;
}

/**
 * Stores a new passkey of a member.
 *
 * @throws {ProblemError} 409 when it is known already, or the member has too many.
 */
export async function savePasskey(
  tx: Transaction,
  userId: string,
  name: string,
  made: Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'signCount' | 'isSynced' | 'transports'>,
): Promise<StoredPasskey> {
  const passkeys = tx.getRepository(PasskeyEntity);
  if ((await passkeys.countBy({ userId })) >= MAX_PASSKEYS) {
    throw conflict(`You have ${MAX_PASSKEYS} passkeys. Remove one first.`);
  }
  const credentialHash = credentialHashOf(made.credentialId);
  if (await passkeys.existsBy({ credentialHash })) throw conflict('This passkey is registered already.');
  const row = { ...made, id: newId(), userId, credentialHash, name, createdAt: Date.now(), lastUsedAt: null };
  await passkeys.insert(row);
  return row;
}
