import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** What a TLS server needs; the certificate also vouches for itself. */
export interface Certificate {
  key: string;
  cert: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** ASN.1 in its distinguished encoding, as much of it as a certificate takes. */
const der = (tag: number, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const size = body.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...content: Buffer[]) => der(0x30, ...content);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const integer = (bytes: Buffer) => der(0x02, bytes);
const bits = (bytes: Buffer) => der(0x03, Buffer.from([0]), bytes);
const octets = (bytes: Buffer) => der(0x04, bytes);
const TRUE = der(0x01, Buffer.from([0xff]));
const time = (at: number) =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const SUBJECT_ALT_NAME = oid('551d11');
const BASIC_CONSTRAINTS = oid('551d13');

/** Makes a certificate for a host name, signed by itself, good for a day. Node can check certificates but not make them. */
export function makeCertificate(host: string): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(host)))));
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, TRUE, octets(sequence(TRUE))),
    sequence(SUBJECT_ALT_NAME, octets(sequence(der(0x82, Buffer.from(host))))),
  );
  const signed = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const certificate = sequence(signed, ECDSA_WITH_SHA256, bits(createSign('sha256').update(signed).sign(privateKey)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}
