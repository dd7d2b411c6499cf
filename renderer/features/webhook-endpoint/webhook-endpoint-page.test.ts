import { expect, it } from 'vitest';
import { curlExample } from './webhook-endpoint-page.tsx';

it('is one command of several lines that names the address, the key and a JSON body', () => {
  const lines = curlExample('https://desk.example/webhook').split('\n');
  expect(lines[0]).toBe('curl -i https://desk.example/webhook \\');
  expect(lines.slice(0, -1).every((line) => line.endsWith(' \\'))).toBe(true);
  expect(lines[1]).toContain("-H 'X-Webhook-Auth: YOUR_API_KEY'");
  const body = /-d '([^']*)'$/.exec(lines.at(-1) ?? '')?.[1] ?? '';
  expect(JSON.parse(body)).toMatchObject({ customer: 'Harbor & Finch' });
});
