import { createSign, generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privatePem = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** A self-signed certificate of the key, as SNS's address would answer it. */
function makeCertificate(): string {
  const now = Date.now();
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(keys.publicKey.export({ type: 'spki', format: 'pem' }).toString());
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(now);
  certificate.validity.notAfter = new Date(now + 86_400_000);
  certificate.setSubject([{ name: 'commonName', value: 'sns.amazonaws.com' }]);
  certificate.setIssuer([{ name: 'commonName', value: 'sns.amazonaws.com' }]);
  certificate.sign(forge.pki.privateKeyFromPem(privatePem), forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}
/** What SNS's address answers for {@link signSnsMessage}. */
export const SNS_CERTIFICATE = makeCertificate();

/**
 * Signs a message as AWS describes it: name and value on a line each, in the order of the names.
 *
 * Source: https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
export function signSnsMessage(message: Record<string, string>, version: '1' | '2' = '1'): Record<string, string> {
  const names =
    message['Type'] === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const lines = names.filter((name) => name in message).map((name) => `${name}\n${message[name]}\n`);
  const signer = createSign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256').update(lines.join(''));
  return { ...message, SignatureVersion: version, Signature: signer.sign(privatePem, 'base64') };
}
