import { PRODUCT_NAME } from '#backend/contract/product.ts';
import type { JsonText } from '#backend/platform/endpoint/json-text.ts';
import { type ProblemError, notSignedIn } from '#backend/platform/endpoint/errors.ts';

/** An answer to a sender. */
export interface IngestAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Methods that an address of sources knows. */
export const INGEST_METHODS = 'GET, HEAD, POST, PUT, OPTIONS';

/** Senders that take anything but 200 for a failure, and send again (https://docs.slack.dev/apis/events-api#responding). */
const EXPECTING_OK: ReadonlySet<string> = new Set(['slack']);

/** 202 with what was stored. */
export const accepted = (receipt: JsonText, sender = ''): IngestAnswer => ({
  status: EXPECTING_OK.has(sender) ? 200 : 202,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  body: receipt,
});

/** 401 for whatever is wrong with a key: the caller gets no reason. Both challenges, for senders that wait for one. */
export const badApiKey = (): ProblemError =>
  notSignedIn(
    'The API key is missing or not valid; send it in the header X-Webhook-Auth.',
    'Basic realm="webhook", charset="UTF-8", Bearer realm="webhook"',
  );

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${PRODUCT_NAME}: address for alerts</title></head>
<body>
<h1>This address takes alerts</h1>
<p>${PRODUCT_NAME} is here. Monitoring systems and other senders post their alerts to this address; there is nothing to see for people.</p>
<p>Send JSON with <code>POST</code> and a key in the header <code>X-Webhook-Auth</code>, or as <code>Authorization: Bearer</code>.</p>
</body>
</html>
`;

/** What somebody sees who opens the address in a browser. Nothing in it depends on the address. */
export const addressPage = (): IngestAnswer => ({
  status: 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  },
  body: PAGE,
});

/** Longest origin and rate that are answered. */
const MAX_ORIGIN = 253;

/**
 * Answers OPTIONS. A sender of CloudEvents that asks whether it may deliver here is let
 * (https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md, section 4).
 */
export function optionsAnswer(origin: string | undefined, rate: string | undefined): IngestAnswer {
  const isOrigin = origin !== undefined && origin.length <= MAX_ORIGIN && /^[\w.:/*-]+$/.test(origin);
  return {
    status: 200,
    headers: {
      Allow: INGEST_METHODS,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      ...(isOrigin && {
        'WebHook-Allowed-Origin': origin,
        'WebHook-Allowed-Rate': rate !== undefined && /^\d{1,6}$/.test(rate) ? rate : '*',
      }),
    },
    body: '',
  };
}

/** 405 for every other method. */
export const wrongMethod = (): IngestAnswer => ({
  status: 405,
  headers: { Allow: INGEST_METHODS, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: 'Post alerts to this address with POST or PUT.',
});
