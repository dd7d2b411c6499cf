import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { WallboardPage } from './wallboard.tsx';

/** The token stands behind `#`: browsers send that part of an address to no server, and no log has it. */
const root = document.querySelector('#root');
if (!root) throw new Error('wallboard.html has no #root to put the page in.');
createRoot(root).render(
  <StrictMode>
    <WallboardPage token={location.hash.slice(1)} />
  </StrictMode>,
);
// Another link that is opened in the same tab differs behind `#` alone.
window.addEventListener('hashchange', () => location.reload());
