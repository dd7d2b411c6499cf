import { expect, test } from 'vitest';
import { mask, maskHeaders, maskIn, maskPath } from '#backend/sources/mask-request.ts';

const KEY = 'ad_C2FVsBQIhrscChlQIMVb5sSYspob7oDx5EMx5EMx5EM';

test('a secret keeps its last four characters, and nothing where it is short', () => {
  expect(mask(KEY)).toBe('ad_••••••••x5EM');
  expect(mask('adt_abcdefgh9TqA')).toBe('adt_••••••••9TqA');
  expect(mask('short')).toBe('••••••••');
  expect(mask('')).toBe('••••••••');
});

test('no header keeps a secret', () => {
  const basic = `Basic ${Buffer.from(`user:${KEY}`).toString('base64')}`;
  const raw = ['Host', 'a.example', 'authorization', `Bearer  ${KEY}`, 'Authorization', basic, 'X-API-Key', KEY];
  const masked = maskHeaders([...raw, 'Cookie', 'sid=abcdefghijklmnop', 'X-Copy', `key=${KEY};`], [KEY]);
  expect(masked).toEqual([
    ['Host', 'a.example'],
    ['authorization', 'Bearer ad_••••••••x5EM'],
    ['Authorization', 'Basic ad_••••••••x5EM'],
    ['X-API-Key', 'ad_••••••••x5EM'],
    ['Cookie', '••••••••mnop'],
    ['X-Copy', 'key=ad_••••••••x5EM;'],
  ]);
  expect(JSON.stringify(masked)).not.toContain(KEY);
});

test('an address keeps neither its token nor secrets of its query', () => {
  expect(maskPath(`/in/${KEY}?a=1`)).toBe('/in/ad_••••••••x5EM?a=1');
  expect(maskPath(`/webhook?a=1&token=${KEY}&b=2`)).toBe('/webhook?a=1&token=ad_••••••••x5EM&b=2');
  expect(maskPath('/webhook?Api-Key=1234')).toBe('/webhook?Api-Key=••••••••');
});

test('a secret in a body is masked wherever it stands', () => {
  expect(maskIn(`{"routing_key":"${KEY}","copy":"${KEY}"}`, [KEY])).toBe(
    '{"routing_key":"ad_••••••••x5EM","copy":"ad_••••••••x5EM"}',
  );
});
