import { type ECDH, createECDH, randomBytes } from 'node:crypto';

/** What a browser makes when it subscribes to web push: a key pair and a secret that only it can read messages with. */
export interface BrowserKeys {
  /** The public halves, as `PushSubscription.toJSON()` gives them. */
  keys: { p256dh: string; auth: string };
  curve: ECDH;
  auth: Buffer;
}

/** Makes the keys of one subscription. */
export function makeBrowserKeys(): BrowserKeys {
  const curve = createECDH('prime256v1');
  const p256dh = curve.generateKeys('base64url');
  const auth = randomBytes(16);
  return { keys: { p256dh, auth: auth.toString('base64url') }, curve, auth };
}
