import { hash } from 'node:crypto';
import type { Middleware } from 'koa';
import type { ApiKeyStore } from '#backend/api-keys/api-key-store.ts';
import { WEBHOOK_MAX_BYTES } from '#backend/contract/webhook.ts';
import { bearerTokenOf } from '#backend/endpoint/bearer-token.ts';
import { readJsonText } from '#backend/endpoint/read-json-text.ts';
import { type IngestObserver, UNOBSERVED } from '#backend/metrics/observers.ts';
import { type AlertWriter, badApiKey } from './alert-writer.ts';
import { readAlert } from './read-alert.ts';
import type { HttpContext } from '#backend/endpoint/http-context.ts';

/** The headers by which senders name a delivery, so that its repetition is recognised (contract.md section 4). */
const IDEMPOTENCY_HEADERS = ['idempotency-key', 'webhook-id'];

/**
 * `POST /webhook`: key, then body, then fields, then the durable write; 202 after the commit (spec.md section 7). The
 * write checks the key again: it may be deleted while the body is on its way.
 *
 * It stands before the API's own middleware: outside systems have no session, and every microsecond counts here.
 */
export function webhookRoute({
  apiKeys,
  writer,
  observer = UNOBSERVED.ingest,
  now = Date.now,
}: {
  apiKeys: ApiKeyStore;
  writer: AlertWriter;
  observer?: IngestObserver;
  now?: () => number;
}): Middleware {
  const take = async (ctx: HttpContext): Promise<void> => {
    const apiKey = apiKeys.verify(presentedKey(ctx));
    if (!apiKey) throw badApiKey();
    const text = await readJsonText(ctx.req, WEBHOOK_MAX_BYTES);
    const alert = readAlert({ text, target: ctx.url, headers: ctx.req.headers });
    const { id, receivedAt } = await writer.write({
      ...alert,
      apiKey,
      receivedAt: now(),
      delivery: readDelivery(ctx, text),
    });
    ctx.status = 202;
    ctx.type = 'application/json';
    ctx.body = `{"id":"${id}","receivedAt":"${new Date(receivedAt).toISOString()}"}`;
  };
  return (ctx) =>
    take(ctx).catch((error: unknown) => {
      observer.refused();
      throw error;
    });
}

const presentedKey = (ctx: HttpContext): string => ctx.get('X-Webhook-Auth') || bearerTokenOf(ctx);

function readDelivery(ctx: HttpContext, text: string): { keyHash: string; bodyHash: string } | undefined {
  for (const header of IDEMPOTENCY_HEADERS) {
    const key = ctx.get(header).trim();
    if (key) return { keyHash: sha256(key), bodyHash: sha256(text) };
  }
  return undefined;
}

const sha256 = (text: string): string => hash('sha256', text);
