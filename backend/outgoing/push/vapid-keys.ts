import { createECDH } from 'node:crypto';
import { StartError } from '#backend/platform/logger/start-error.ts';

/** By which push services know this server (RFC 8292): a P-256 pair, base64url of 65 and of 32 bytes. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/**
 * The pair of keys that was set, if one was.
 *
 * @throws {StartError} when they are no pair
 */
export function readVapidKeys(publicKey: string | undefined, privateKey: string | undefined): VapidKeys | undefined {
  if (publicKey === undefined && privateKey === undefined) return undefined;
  if (publicKey === undefined || privateKey === undefined) {
    throw new StartError(
      'The environment variables VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are a pair: set both or none.',
    );
  }
  if (publicKeyOf(privateKey) !== publicKey) {
    throw new StartError('The environment variable VAPID_PUBLIC_KEY is not the public key of VAPID_PRIVATE_KEY.');
  }
  return { publicKey, privateKey };
}

function publicKeyOf(privateKey: string): string | undefined {
  try {
    const curve = createECDH('prime256v1');
    curve.setPrivateKey(privateKey, 'base64url');
    return curve.getPublicKey('base64url');
  } catch {
    // Not every 32 bytes are a private key.
    return undefined;
  }
}
