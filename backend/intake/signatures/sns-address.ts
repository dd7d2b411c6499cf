/** SNS answers below its own host names only, in AWS and in its Chinese partition. */
const HOST = /^sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/;

/** Whether an address in a message is SNS's own: it may be requested. */
export function isSnsAddress(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null &&
    url.protocol === 'https:' &&
    HOST.test(url.hostname) &&
    url.port === '' &&
    url.username === '' &&
    url.password === ''
  );
}

/** Whether an address is one of SNS's signing certificates. */
export const isSnsCertificate = (address: string): boolean =>
  isSnsAddress(address) && /^\/[\w-]+\.pem$/.test(new URL(address).pathname) && new URL(address).search === '';
