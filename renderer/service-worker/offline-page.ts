/** How often the page asks for the server, in milliseconds. */
const RETRY_MS = 5000;

/**
 * The page for a server that cannot be reached. It is a part of the worker's own script: of the same version as the
 * worker, and there without any cache. It looks again by itself.
 */
export function offlineResponse(): Response {
  const nonce = crypto.randomUUID();
  return new Response(page(nonce), {
    // Not a page that worked: whoever asks for it by script must see that.
    status: 503,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; connect-src 'self'; img-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'Cache-Control': 'no-store',
    },
  });
}

const page = (nonce: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Alertdesk is offline</title>
<style nonce="${nonce}">
  body { display: grid; min-height: 100vh; margin: 0; place-items: center; background: #f6f7f9; color: #1c2127; font: 14px/20px -apple-system, 'Segoe UI', system-ui, sans-serif; }
  main { max-width: 360px; padding: 24px; text-align: center; }
  h1 { margin: 0 0 4px; font-size: 16px; line-height: 24px; }
  p { margin: 0 0 16px; color: #5f6b7c; }
  button { min-height: 40px; padding: 0 16px; border: 1px solid #738091; border-radius: 4px; background: none; color: #215db0; font: inherit; cursor: pointer; }
  :focus-visible { outline: 2px solid #2d72d2; outline-offset: 2px; }
  @media (prefers-color-scheme: dark) {
    body { background: #1c2127; color: #e5e8eb; }
    p { color: #abb3bf; }
    button { border-color: #8f99a8; color: #8abbff; }
  }
</style>
<main>
  <h1>Alertdesk cannot be reached</h1>
  <p role="status">Check your connection. This page tries again automatically.</p>
  <button type="button">Try again</button>
</main>
<script nonce="${nonce}">
  const reload = () => location.reload();
  const look = () => fetch('/healthz', { cache: 'no-store' }).then((answer) => { if (answer.ok) reload(); }, () => {});
  document.querySelector('button').addEventListener('click', reload);
  addEventListener('online', look);
  // A notification was clicked: the worker has this window show what it is about.
  navigator.serviceWorker.addEventListener('message', ({ data }) => { if (data.type === 'open') location.assign(data.path); });
  setInterval(look, ${RETRY_MS});
</script>
</html>
`;
