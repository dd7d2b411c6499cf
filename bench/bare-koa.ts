/**
 * What the product is compared with: the least that a server of its kind can be. Koa, its router, the body read and
 * parsed, 202; nothing is checked, stored or published. In a process of its own, on the same Node: `node bare-koa.ts`. Speaks as
 * `serve.ts` does: its address first, then an answer to each line; it ends when its input does.
 */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Router } from '@koa/router';
import Koa from 'koa';
import getRawBody from 'raw-body';
import { processUsage } from './processor-time.ts';

const router = new Router();
router.post('/webhook', async (ctx) => {
  const body = await getRawBody(ctx.req, { length: ctx.req.headers['content-length'] ?? null, encoding: 'utf8' });
  JSON.parse(body);
  ctx.status = 202;
  ctx.body = { id: randomUUID(), receivedAt: new Date().toISOString() };
});

const server = new Koa().use(router.routes()).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
createInterface({ input: process.stdin })
  .on('line', () => console.log(JSON.stringify(processUsage())))
  .on('close', () => process.exit(0));
