import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ApiKeyStore } from '#backend/api-keys/api-key-store.ts';
import { WEBHOOK_MAX_BYTES } from '#backend/contract/webhook.ts';
import { bearerToken } from '#backend/endpoint/bearer-token.ts';
import { type JsonText, jsonText } from '#backend/endpoint/json-text.ts';
import { readJsonText } from '#backend/endpoint/read-json-text.ts';
import { type IngestObserver, UNOBSERVED } from '#backend/metrics/observers.ts';
import { type AlertWriter, badApiKey } from './alert-writer.ts';
import { readAlert } from './read-alert.ts';

/** The headers by which senders name a delivery, so that its repetition is recognised. */
const IDEMPOTENCY_HEADERS = ['idempotency-key', 'webhook-id'];

/**
 * `POST /webhook`: key, then body, then fields, then the durable write; the receipt after the commit.
 * The write checks the key again: it may be deleted while the body is on its way.
 *
 * @returns takes the alert of a request to `target` (path and query), rejects with the error to answer
 */
export function createTakeAlert({
  apiKeys,
  writer,
  observer = UNOBSERVED.ingest,
  now = Date.now,
}: {
  apiKeys: ApiKeyStore;
  writer: AlertWriter;
  observer?: IngestObserver;
  now?: () => number;
}): (request: IncomingMessage, target: string) => Promise<JsonText> {
  return async (request, target) => {
    try {
      const { headers } = request;
      const apiKey = apiKeys.verify(presentedKey(headers));
      if (!apiKey) throw badApiKey();
      const text = await readJsonText(request, WEBHOOK_MAX_BYTES);
      const { payload, extraData, customer, alertType, url } = readAlert({ text, target, headers });
      const { id, receivedAt } = await writer.write({
        payload,
        extraData,
        customer,
        alertType,
        url,
        apiKey,
        receivedAt: now(),
        delivery: readDelivery(headers, text),
      });
      return jsonText(`{"id":"${id}","receivedAt":"${new Date(receivedAt).toISOString()}"}`);
    } catch (error) {
      observer.refused();
      throw error;
    }
  };
}

const presentedKey = (headers: IncomingHttpHeaders): string =>
  textOf(headers, 'x-webhook-auth') || bearerToken(headers.authorization);

function readDelivery(headers: IncomingHttpHeaders, text: string): { keyHash: string; bodyHash: string } | undefined {
  for (const header of IDEMPOTENCY_HEADERS) {
    const key = textOf(headers, header).trim();
    if (key) return { keyHash: sha256(key), bodyHash: sha256(text) };
  }
  return undefined;
}

/** A header that Node joins when it comes more than once; empty when it does not come. */
const textOf = (headers: IncomingHttpHeaders, name: string): string => (headers[name] as string | undefined) ?? '';

const sha256 = (text: string): string => hash('sha256', text);
