import { describe, expect, it } from 'vitest';
import { curlText, shellWord } from './curl-text.ts';

const DELIVERY = {
  method: 'POST',
  path: '/webhook?site=a',
  headers: [
    ['Host', 'desk.example'],
    ['Authorization', 'Bearer ••••x5EM'],
    ['X-Webhook-Auth', '••••x5EM'],
    ['Content-Type', 'application/json'],
    ['Content-Length', '12'],
    ['X-Forwarded-For', '10.0.0.1'],
  ] satisfies [string, string][],
  body: `{"title":"It's $HOME \`now\`"}`,
};

describe('a delivery as curl', () => {
  it('has its address, its own headers, placeholders for secrets, and its body', () => {
    expect(curlText(DELIVERY, 'https://desk.example').split(' \\\n  ')).toEqual([
      "curl -X POST 'https://desk.example/webhook?site=a'",
      "-H 'Authorization: Bearer YOUR_SECRET'",
      "-H 'X-Webhook-Auth: YOUR_SECRET'",
      "-H 'Content-Type: application/json'",
      `--data-raw '{"title":"It'\\''s $HOME \`now\`"}'`,
    ]);
  });

  it('has no token of the address', () => {
    const path = '/in/••••9TqA';
    expect(curlText({ ...DELIVERY, path }, 'https://desk.example')).toContain("'https://desk.example/in/YOUR_SECRET'");
    const query = '/webhook?a=1&token=••••9TqA&b=2';
    expect(curlText({ ...DELIVERY, path: query }, 'https://d')).toContain('?a=1&token=YOUR_SECRET&b=2');
  });

  it('has no body where none is kept', () => {
    expect(curlText({ ...DELIVERY, body: null }, 'https://d')).not.toContain('--data-raw');
  });

  it('is quoted for a shell, in which only a quote has to be taken out of its word', () => {
    expect(shellWord('a "b" $HOME \\ `c`')).toBe('\'a "b" $HOME \\ `c`\'');
    expect(shellWord("it's")).toBe(String.raw`'it'\''s'`);
  });
});
