import { expect, test } from 'vitest';
import { isLocalHost } from './local-address-note.tsx';

test.each(['localhost', 'LOCALHOST', 'desk.localhost', '127.0.0.1', '127.1.2.3', '[::1]'])(
  'no other machine reaches %s',
  (hostname) => expect(isLocalHost(hostname)).toBe(true),
);

test.each(['alerts.example.com', 'localhost.example.com', '127.0.0.1.example.com', '192.168.1.20', '[2001:db8::1]'])(
  'other machines may reach %s',
  (hostname) => expect(isLocalHost(hostname)).toBe(false),
);
