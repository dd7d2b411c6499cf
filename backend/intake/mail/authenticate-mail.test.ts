import { expect, test } from 'vitest';
import { authenticateMail } from './authenticate-mail.ts';

/** A zone as name servers answer it. */
const zone: Record<string, string[]> = {
  'TXT sender.example': ['v=spf1 ip4:93.184.216.34 -all'],
  'TXT _dmarc.sender.example': ['v=DMARC1; p=reject'],
};
const resolve = async (name: string, type: string) => {
  const found = zone[`${type} ${name}`];
  if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  return found.map((text) => [text]);
};
const RAW = Buffer.from('From: a@sender.example\r\nSubject: x\r\n\r\nText\r\n');
const from = (address: string) => ({ address, helo: 'mx.sender.example', envelopeFrom: 'a@sender.example' });

test.each([
  ['of its domain', '93.184.216.34', 'pass', 'pass'],
  ['of nobody', '93.184.216.77', 'fail', 'fail'],
  ['of a relay of the own network', '10.0.0.7', 'not checked', 'not checked'],
  ['of this machine', '::1', 'not checked', 'not checked'],
])('an email from an address %s', async (_name, address, spf, dmarc) => {
  const checked = await authenticateMail(RAW, from(address), resolve);
  expect(checked.spf.result).toBe(spf);
  expect(checked.dkim.result).toBe('none');
  expect(checked.dmarc.result).toBe(dmarc);
});

test.each([
  ['fail', () => Promise.reject(Object.assign(new Error('away'), { code: 'ETIMEOUT' }))],
  ['never answer', () => new Promise<never>(() => undefined)],
])('name servers that %s leave a check undone', async (_name, asked) => {
  const checked = await authenticateMail(RAW, from('93.184.216.34'), asked, 50);
  expect(checked.spf.result).toBe('not checked');
  expect(checked.dmarc.result).toBe('not checked');
});

test.each([
  ['one line of a megabyte', 'x'.repeat(1024 * 1024)],
  ['empty lines alone', '\r\n'.repeat(20_000)],
])('a signature over %s is not checked', async (_name, body) => {
  const signature = 'DKIM-Signature: v=1; a=rsa-sha256; d=sender.example; s=s1; h=from; bh=AAAA; b=AAAA\r\n';
  const raw = Buffer.from(`${signature}From: a@sender.example\r\n\r\n${body}`);
  const checked = await authenticateMail(raw, from('93.184.216.34'), resolve);
  expect(checked.dkim.result).toBe('not checked');
  expect(checked.spf.result).toBe('pass');
});
