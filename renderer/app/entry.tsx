import '#renderer/styles/layers.css';
import '#renderer/styles/blueprint-first.css';
import '#renderer/styles/global.css';
import '#renderer/styles/tokens.css';
import '#renderer/styles/blueprint-overrides.css';
import '#renderer/lib/forbid-eval.ts';
import { StrictMode, startTransition } from 'react';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { afterFirstScreen } from '#renderer/lib/first-screen.ts';
import { loadStyles } from '#renderer/lib/lazy-part.ts';
import { createGuardedHistory } from '#renderer/lib/guarded-history.ts';
import { registerWorker } from '#renderer/push/service-worker.ts';
import { guardInput } from './guard-input.ts';

/** Lets the browser draw and answer before the next part runs. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Runs the app's script part by part, though it is one file ("eager"): in one task it would keep a slow phone from
 * answering for a quarter of a second.
 */
async function start(root: Element): Promise<void> {
  const { createRoot } = await import(/* webpackMode: "eager" */ 'react-dom/client');
  await pause();
  await import(/* webpackMode: "eager" */ '#renderer/features/inbox/inbox-page.tsx');
  await pause();
  const { App } = await import(/* webpackMode: "eager" */ './app.tsx');
  await pause();
  const app = createRoot(root);
  const history = createGuardedHistory();
  // A transition is drawn in slices, so that a slow phone can answer in between.
  startTransition(() =>
    app.render(
      <StrictMode>
        <App history={history} />
      </StrictMode>,
    ),
  );
}

const root = document.querySelector('#root');
if (!root) throw new Error('There is no #root here.');
guardInput(window);
void start(root);

// The browser loads its calendar when it is first asked for a time zone, which takes a slow phone 80 ms.
void afterFirstScreen().then(timeZoneHere);
// After what the screen needs. Where it fails, Settings says why as soon as somebody wants what it is for.
void afterFirstScreen()
  .then(registerWorker)
  .catch(() => undefined);
// They are there before a popup asks for them.
void afterFirstScreen()
  .then(loadStyles)
  .catch(() => undefined);
// What is not there is fetched when it is asked for.
void afterFirstScreen()
  .then(() => import('./fetch-ahead.ts'))
  .then(({ fetchAhead }) =>
    fetchAhead.map((fetch) =>
      afterFirstScreen()
        .then(fetch)
        .catch(() => undefined),
    ),
  )
  .catch(() => undefined);
