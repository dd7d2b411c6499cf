import { type KeyObject, X509Certificate } from 'node:crypto';
import { isSnsCertificate } from './sns-address.ts';

/** The public keys of SNS's certificates, by their addresses. */
export interface CertificateStore {
  /** @throws when the address is not SNS's, or what it answers is no certificate. */
  publicKey: (address: string) => Promise<KeyObject>;
}

/** SNS has one certificate a region and changes it about once a year. */
const MAX_CERTIFICATES = 50;

/**
 * Keeps the certificates that were fetched. Only addresses of SNS itself are asked, each once; what failed is asked
 * again the next time.
 *
 * @param fetchText answers the text behind an https address, bounded in time and size
 */
export function createCertificateStore(fetchText: (address: string) => Promise<string>): CertificateStore {
  const keys = new Map<string, Promise<KeyObject>>();
  return {
    async publicKey(address) {
      if (!isSnsCertificate(address)) throw new Error('not an address of SNS');
      const known = keys.get(address);
      if (known) return known;
      const key = fetchText(address).then((pem) => new X509Certificate(pem).publicKey);
      keys.set(address, key);
      const [oldest] = keys.keys();
      if (keys.size > MAX_CERTIFICATES && oldest !== undefined) keys.delete(oldest);
      key.catch(() => keys.delete(address));
      return key;
    },
  };
}
