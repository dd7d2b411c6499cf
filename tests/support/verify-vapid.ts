import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';

const DAY_SECONDS = 24 * 60 * 60;

const readPart = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

/**
 * Checks a push request's `Authorization` as a push service does (RFC 8292), and throws what is wrong with it.
 *
 * @param audience the push service's origin.
 * @returns the server's public key and whom to write to.
 */
export function verifyVapid(authorization: string, audience: string): { publicKey: string; subject: string } {
  const [, token = '', publicKey = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  z.object({ typ: z.literal('JWT'), alg: z.literal('ES256') }).parse(readPart(header));
  const now = Date.now() / 1000;
  const { sub } = z
    .object({
      aud: z.literal(audience),
      exp: z
        .int()
        .min(now)
        .max(now + DAY_SECONDS),
      sub: z.string().regex(/^(?:mailto:.+@.+|https:\/\/.+)$/),
    })
    .parse(readPart(claims));

  const point = Buffer.from(publicKey, 'base64url');
  if (point.length !== 65 || point[0] !== 4) throw new Error('the public key is not a point');
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) };
  const key = createPublicKey({ format: 'jwk', key: jwk });
  const isRight = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isRight) throw new Error('the token is not signed with the key');
  return { publicKey, subject: sub };
}
