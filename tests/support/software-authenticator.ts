import { type KeyObject, createPublicKey, generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import type { PasskeyAssertion, PasskeyAttestation } from '#backend/contract/second-step.ts';

/** ES256, as COSE numbers it. */
const ES256 = -7;

const descriptors = z.array(z.object({ id: z.string(), type: z.literal('public-key') })).optional();
const verification = z.enum(['required', 'preferred', 'discouraged']).optional();

const creationSchema = z.object({
  challenge: z.base64url(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.base64url(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  excludeCredentials: descriptors,
  authenticatorSelection: z.object({ userVerification: verification }),
});
const requestSchema = z.object({
  challenge: z.base64url(),
  rpId: z.string(),
  allowCredentials: descriptors,
  userVerification: verification,
});

interface Credential {
  id: string;
  rpId: string;
  userHandle: string;
  privateKey: KeyObject;
  signCount: number;
}

/** What an attacker makes an authenticator sign that a browser would not. */
export interface Forged {
  challenge?: string;
  origin?: string;
  rpId?: string;
  type?: string;
  crossOrigin?: boolean;
  isPresent?: boolean;
  isVerified?: boolean;
  signCount?: number;
  userHandle?: string | undefined;
}

/** An authenticator's or browser's refusal, by the name of its DOMException. */
export class AuthenticatorError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** What an authenticator can do. */
export interface Abilities {
  /** Origin of the page that asks; passkeys belong to its host. */
  origin: string;
  /** Asks for a PIN or a finger. */
  canVerify?: boolean;
  /** Counts its signatures; those in the cloud do not. */
  hasCounter?: boolean;
  /** Keeps passkeys, so that nobody has to say which; a plain security key does not. */
  isDiscoverable?: boolean;
}

/** A browser and its authenticator, in software: makes and uses passkeys, and refuses what real ones refuse. */
export class SoftwareAuthenticator {
  readonly #abilities: Required<Abilities>;
  readonly credentials: Credential[] = [];

  constructor(abilities: Abilities) {
    this.#abilities = { canVerify: true, hasCounter: true, isDiscoverable: true, ...abilities };
  }

  /** A copy as it is now, as an attacker would make one. */
  clone(): SoftwareAuthenticator {
    const copy = new SoftwareAuthenticator(this.#abilities);
    copy.credentials.push(...this.credentials.map((credential) => ({ ...credential })));
    return copy;
  }

  /** `navigator.credentials.create`. */
  create(options: unknown, forged: Forged = {}): PasskeyAttestation {
    const { challenge, rp, user, pubKeyCredParams, excludeCredentials, authenticatorSelection } =
      creationSchema.parse(options);
    this.#checkRelyingParty(rp.id);
    this.#checkChallenge(challenge);
    const handle = Buffer.from(user.id, 'base64url');
    if (handle.length === 0 || handle.length > 64) throw new TypeError('user.id has 1 to 64 bytes');
    if (!pubKeyCredParams.some(({ alg }) => alg === ES256)) {
      throw new AuthenticatorError('NotSupportedError', 'none of these algorithms');
    }
    if (excludeCredentials?.some(({ id }) => this.credentials.some((own) => own.id === id))) {
      throw new AuthenticatorError('InvalidStateError', 'this authenticator is registered already');
    }
    this.#checkVerification(authenticatorSelection.userVerification);

    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const credential = {
      id: randomBytes(32).toString('base64url'),
      rpId: rp.id,
      userHandle: user.id,
      privateKey,
      signCount: this.#abilities.hasCounter ? 1 : 0,
    };
    this.credentials.push(credential);
    const id = Buffer.from(credential.id, 'base64url');
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(privateKey)]);
    const authData = Buffer.concat([this.#authenticatorData(credential, 0x40, forged), attested]);
    return {
      id: credential.id,
      rawId: credential.id,
      type: 'public-key',
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, forged),
        // A CBOR map of three: no attestation, and what the authenticator says.
        attestationObject: Buffer.concat([
          Buffer.from([0xa3]),
          text('fmt'),
          text('none'),
          text('attStmt'),
          Buffer.from([0xa0]),
          text('authData'),
          byteString(authData),
        ]).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** `navigator.credentials.get`. */
  get(options: unknown, forged: Forged = {}): PasskeyAssertion {
    const { challenge, rpId, allowCredentials = [], userVerification } = requestSchema.parse(options);
    this.#checkRelyingParty(rpId);
    this.#checkChallenge(challenge);
    this.#checkVerification(userVerification);
    const credential = this.credentials.findLast(
      (own) =>
        own.rpId === rpId &&
        (allowCredentials.length > 0
          ? allowCredentials.some(({ id }) => id === own.id)
          : this.#abilities.isDiscoverable),
    );
    if (!credential) throw new AuthenticatorError('NotAllowedError', 'no passkey for this');
    if (this.#abilities.hasCounter) credential.signCount += 1;

    const authData = this.#authenticatorData(credential, 0, forged);
    const clientDataJSON = this.#clientData('webauthn.get', challenge, forged);
    const clientHash = hash('sha256', Buffer.from(clientDataJSON, 'base64url'), 'buffer');
    const userHandle = 'userHandle' in forged ? forged.userHandle : credential.userHandle;
    return {
      id: credential.id,
      rawId: credential.id,
      type: 'public-key',
      response: {
        clientDataJSON,
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', Buffer.concat([authData, clientHash]), credential.privateKey).toString('base64url'),
        ...(userHandle !== undefined && { userHandle }),
      },
    };
  }

  #checkRelyingParty(rpId: string): void {
    const { hostname } = new URL(this.#abilities.origin);
    const isOwn = isIP(hostname) === 0 && (hostname === rpId || hostname.endsWith(`.${rpId}`));
    if (!isOwn) throw new AuthenticatorError('SecurityError', `${rpId} is not the host of ${this.#abilities.origin}`);
  }

  #checkChallenge(challenge: string): void {
    if (Buffer.from(challenge, 'base64url').length < 16) throw new TypeError('a challenge has 16 bytes at least');
  }

  #checkVerification(asked: z.infer<typeof verification>): void {
    if (asked === 'required' && !this.#abilities.canVerify) {
      throw new AuthenticatorError('NotAllowedError', 'this authenticator does not verify who uses it');
    }
  }

  #authenticatorData({ rpId, signCount }: Credential, flags: number, forged: Forged): Buffer {
    const isPresent = forged.isPresent ?? true;
    const isVerified = forged.isVerified ?? this.#abilities.canVerify;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(forged.signCount ?? signCount);
    return Buffer.concat([
      hash('sha256', forged.rpId ?? rpId, 'buffer'),
      Buffer.from([flags | (isPresent ? 0x01 : 0) | (isVerified ? 0x04 : 0)]),
      count,
    ]);
  }

  #clientData(type: string, challenge: string, forged: Forged): string {
    const { origin } = this.#abilities;
    const data = {
      type: forged.type ?? type,
      challenge: forged.challenge ?? challenge,
      origin: forged.origin ?? origin,
      crossOrigin: forged.crossOrigin ?? false,
    };
    return Buffer.from(JSON.stringify(data)).toString('base64url');
  }
}

/** A CBOR head of this major type. */
function head(type: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(type << 5) | length]);
  if (length < 256) return Buffer.from([(type << 5) | 24, length]);
  return Buffer.from([(type << 5) | 25, length >> 8, length & 255]);
}

const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const byteString = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);

/** The public key as COSE has it: EC2, ES256, P-256, x, y. */
function coseKey(privateKey: KeyObject): Buffer {
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    byteString(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    byteString(Buffer.from(y, 'base64url')),
  ]);
}
