import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts secrets that must be readable later. */
export interface Sealing {
  /** The text encrypted, for this owner (an id) only. */
  seal(text: string, owner: string): string;
  /** @throws when the sealed text was changed, belongs to another owner, or was sealed under another key. */
  open(sealed: string, owner: string): string;
}

/** The text; undefined where {@link Sealing.open} throws: nobody can open it any more, so it is as if it were not there. */
export function openOrNone(sealing: Pick<Sealing, 'open'>, sealed: string, owner: string): string | undefined {
  try {
    return sealing.open(sealed, owner);
  } catch {
    return undefined;
  }
}

const ALGORITHM = 'aes-256-gcm';
/** Bytes of the nonce and of the tag, as NIST SP 800-38D recommends. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/** Makes a key for {@link createSealing}: 256 random bits in base64url. */
export const newSealingKey = (): string => randomBytes(32).toString('base64url');

/** AES-256-GCM under one key, a random nonce for each text, bound to the owner as additional data. */
export function createSealing(key: string): Sealing {
  const bytes = Buffer.from(key, 'base64url');
  return {
    seal(text, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, bytes, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(owner));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
    },
    open(sealed, owner) {
      const [version, text = ''] = sealed.split('.');
      const parts = Buffer.from(text, 'base64url');
      if (version !== VERSION || parts.length < NONCE_BYTES + TAG_BYTES) throw new Error('A sealed secret is damaged.');
      const decipher = createDecipheriv(ALGORITHM, bytes, parts.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner));
      decipher.setAuthTag(parts.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(parts.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}
