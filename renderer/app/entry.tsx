import '#renderer/styles/layers.css';
import '#renderer/styles/blueprint.css';
import '#renderer/styles/global.css';
import '#renderer/styles/tokens.css';
import '#renderer/styles/blueprint-overrides.css';
import '#renderer/lib/forbid-eval.ts';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { registerWorker } from '#renderer/lib/notifications/service-worker.ts';
import { App } from './app.tsx';
import { guardRepeats } from './guard-repeats.ts';

const root = document.querySelector('#root');
if (!root) throw new Error('index.html has no #root to put the app in.');
guardRepeats(window);
const app = createRoot(root);
// A transition is drawn in slices, so that a slow phone can answer in between.
startTransition(() =>
  app.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);

// After what the screen needs. Where it fails, Settings says why as soon as somebody wants what it is for.
window.addEventListener('load', () => void registerWorker().catch(() => undefined));
