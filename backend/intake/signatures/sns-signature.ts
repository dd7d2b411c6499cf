import { verify } from 'node:crypto';
import { WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import { headerOf } from '#backend/intake/json/found.ts';
import { type JsonValue, readJson } from '#backend/intake/json/json-value.ts';
import { isSnsCertificate } from './sns-address.ts';
import type { CertificateStore } from './sns-certificates.ts';
import { MISMATCH, signedHashOf, type SignedRequest, type Verification } from './verification.ts';

/** The fields that are signed, in this order; a notification without a subject signs none. */
const NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

const HASHES: ReadonlyMap<string, string> = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
]);

const failed = (reason: string): Verification => ({ ok: false, reason });

/**
 * Verifies a message of SNS: the certificate proves that SNS sent it, the topic's ARN whose topic it is, because anyone
 * has topics there. The time is not checked: SNS repeats a message for an hour with the time of the first attempt.
 */
export async function verifySns(
  { headers, body }: SignedRequest,
  topics: readonly string[],
  certificates: CertificateStore,
): Promise<Verification> {
  if (headerOf(headers, 'x-amz-sns-rawdelivery') === 'true') {
    return failed('Raw message delivery is on: SNS signs messages only while it is off');
  }
  const message = readJson(body.toString(), WEBHOOK_MAX_DEPTH);
  if (typeof message === 'string' || !message.isObject) return failed('The body is no message of SNS');
  const hash = HASHES.get(textOf(message, 'SignatureVersion'));
  const address = textOf(message, 'SigningCertURL');
  if (hash === undefined) return failed('The message has no SignatureVersion 1 or 2');
  if (!isSnsCertificate(address)) return failed('The certificate’s address is not one of SNS');
  const secretIndex = topics.indexOf(textOf(message, 'TopicArn'));
  if (secretIndex < 0) return failed('Another topic than the source’s: compare the topic’s ARN');
  const signed = canonical(message);
  const key = await certificates.publicKey(address).catch(() => undefined);
  if (!key) return { ok: false, reason: 'The certificate of SNS could not be fetched or read', isTemporary: true };
  const signature = Buffer.from(textOf(message, 'Signature'), 'base64');
  try {
    if (!verify(hash, Buffer.from(signed), key, signature)) return failed(MISMATCH);
  } catch {
    return failed(MISMATCH);
  }
  return { ok: true, scheme: 'sns', secretIndex, signedHash: signedHashOf(signed) };
}

/** A string member as it is: what is signed is not trimmed. */
function textOf(message: JsonValue, name: string): string {
  const value = message.get(name);
  return value?.isString ? (JSON.parse(value.source) as string) : '';
}

function canonical(message: JsonValue): string {
  const fields = textOf(message, 'Type') === 'Notification' ? NOTIFICATION : CONFIRMATION;
  return fields
    .filter((name) => message.get(name)?.isString)
    .map((name) => `${name}\n${textOf(message, name)}\n`)
    .join('');
}
