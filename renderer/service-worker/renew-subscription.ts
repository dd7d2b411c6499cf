import { CSRF_COOKIE, CSRF_HEADER, SECURE_CSRF_COOKIE } from '#backend/contract/csrf.ts';

/** The event in full; TypeScript's own library does not know it yet. */
interface SubscriptionChange {
  oldSubscription?: PushSubscription | null;
  newSubscription?: PushSubscription | null;
}

/**
 * The browser has replaced its push subscription, or let it end: makes a new one with the same key and sends it to the
 * server, which does not take it where the browser was taken off the list of devices. Where that fails (signed out, offline,
 * cookies that a worker cannot read) the next page does it.
 */
export async function renewSubscription(
  worker: ServiceWorkerGlobalScope,
  { oldSubscription, newSubscription }: SubscriptionChange,
): Promise<void> {
  const applicationServerKey = oldSubscription?.options.applicationServerKey;
  const subscription =
    newSubscription ??
    (applicationServerKey
      ? await worker.registration.pushManager
          .subscribe({ userVisibleOnly: true, applicationServerKey })
          .catch(() => undefined)
      : undefined);
  const token = await readToken(worker);
  if (!subscription || token === undefined) return;
  await fetch('/api/push/subscribe', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', [CSRF_HEADER]: token },
    credentials: 'include',
    body: JSON.stringify({ ...subscription.toJSON(), isRenewal: true }),
  }).catch(() => undefined);
}

/** The CSRF token, out of the cookie that scripts may read: on https it has another name. */
async function readToken({ cookieStore }: { cookieStore?: CookieStore }): Promise<string | undefined> {
  const cookie = (await cookieStore?.get(SECURE_CSRF_COOKIE)) ?? (await cookieStore?.get(CSRF_COOKIE));
  return cookie?.value === undefined ? undefined : decodeURIComponent(cookie.value);
}
