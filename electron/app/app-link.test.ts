import { expect, test } from 'vitest';
import { appLinkAmong, readAppLink } from './app-link.ts';

const ID = '0189a000-0000-7000-8000-00000000abcd';

test.each([`alertdesk://alerts/${ID}`, `alertdesk://alerts/${ID}/`, `alertdesk://alerts/${ID}?from=mail`])(
  '%s opens the alert',
  (link) => expect(readAppLink(link)).toEqual({ alertId: ID }),
);

test.each([
  'alertdesk://alerts/',
  `alertdesk://alerts/${ID}/accept`,
  'alertdesk://alerts/..%2F..%2Fsettings',
  `alertdesk://server/${ID}`,
  `https://alerts/${ID}`,
  'nonsense',
])('%s opens nothing', (link) => expect(readAppLink(link)).toBeUndefined());

test('the link is found among what a program is started with', () => {
  expect(appLinkAmong(['C:\\Alertdesk.exe', '--hidden', `alertdesk://alerts/${ID}`])).toEqual({ alertId: ID });
  expect(appLinkAmong(['C:\\Alertdesk.exe', '--hidden'])).toBeUndefined();
});
