import { type ECDH, createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

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

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** The bytes before the encrypted record: salt, record size, and the sender's key with its length (RFC 8188). */
const HEADER = { salt: 16, recordSize: 4, keyLength: 1, key: 65 };
const HEADER_SIZE = HEADER.salt + HEADER.recordSize + HEADER.keyLength + HEADER.key;
const TAG_SIZE = 16;

/**
 * Reads a push message as the browser does: RFC 8291 over RFC 8188, one record. Written from the RFCs, not with what the
 * sender uses.
 */
export function decryptPush({ curve, auth }: BrowserKeys, body: Buffer): string {
  const salt = body.subarray(0, HEADER.salt);
  const recordSize = body.readUInt32BE(HEADER.salt);
  const senderKey = body.subarray(HEADER_SIZE - HEADER.key, HEADER_SIZE);
  const record = body.subarray(HEADER_SIZE);
  if (body[HEADER.salt + HEADER.recordSize] !== HEADER.key) throw new Error('the sender’s key is not 65 bytes long');
  if (record.length > recordSize) throw new Error('there is more than one record');

  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), senderKey]);
  const shared = derive(curve.computeSecret(senderKey), auth, keyInfo, 32);
  const key = derive(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12);

  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-TAG_SIZE));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_SIZE)), decipher.final()]);
  // The last record ends with a 2 and any number of zeros.
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('the last record does not end as one');
  return padded.subarray(0, end).toString();
}
