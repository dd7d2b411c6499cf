import '#renderer/styles/layers.css';
import '#renderer/styles/global.css';
import '#renderer/styles/tokens.css';
import '#renderer/styles/blueprint-overrides.css';
import '#renderer/styles/blueprint.css';
import { OverlaysProvider } from '@blueprintjs/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { desktop } from '#renderer/desktop/bridge.ts';
import { ServerPage } from './server-page.tsx';

const root = document.querySelector('#root');
if (!root || !desktop) throw new Error('This page is the desktop app’s own.');
createRoot(root).render(
  <StrictMode>
    <OverlaysProvider>
      <ServerPage desktop={desktop} />
    </OverlaysProvider>
  </StrictMode>,
);
