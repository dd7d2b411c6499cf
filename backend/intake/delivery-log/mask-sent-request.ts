import type { IncomingHttpHeaders } from 'node:http';
import type { IngestAddress } from '#backend/intake/sources/credentials.ts';
import { maskReadHeaders, maskTarget } from './mask-request.ts';
import { maskMembers } from '#backend/intake/reading/mask-members.ts';
import { maskIn } from '#backend/intake/reading/mask-secret.ts';

/** A request as adapters read it and alerts keep it. */
interface SentRequest {
  headers: IncomingHttpHeaders;
  text: string;
  /** Path and query. */
  target: string;
}

/** Where PagerDuty's senders put their key; whichever adapter reads them, and also where another credential was accepted. */
const POSTED_KEY = ['routing_key'];
const NO_NAMES: readonly string[] = [];

/**
 * A request without its secrets, from before it is read: so none reaches an alert, its search, history and page, the log,
 * an export, or what is read from them again.
 *
 * @param secrets findable ones that it presents: masked wherever they stand
 */
export function maskSentRequest(
  { headers, text, target }: SentRequest,
  secrets: readonly string[],
  route: IngestAddress['route'],
): SentRequest {
  const names = route === '/v2/enqueue' ? POSTED_KEY : NO_NAMES;
  return {
    headers: maskReadHeaders(headers, secrets),
    text: maskIn(maskMembers(text, headers['content-type'] ?? '', names), secrets),
    target: maskTarget(target, secrets),
  };
}
