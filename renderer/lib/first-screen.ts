import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** After so long what comes later is no longer delayed, in milliseconds: a first screen may wait for an answer. */
const PATIENCE_MS = 4_000;

let resolveFirstScreen: () => void;

/**
 * Resolves when the first screen is complete: what it fetches has been answered and drawn, and the browser is idle. What
 * the screen can do without is loaded after that, so that it does not compete with it for the connection and the processor.
 */
export const firstScreen = new Promise<void>((resolve) => {
  resolveFirstScreen = resolve;
});

let lastTurn: Promise<void> = firstScreen;

/**
 * Resolves after the first screen, in a task of its own for each call: what begins a fetch there takes a slow phone some
 * milliseconds, and all of them at once would keep it from answering. Not while the page is hidden: nobody waits for it to
 * answer, and browsers let timers of hidden pages wait for a second each.
 */
export function afterFirstScreen(): Promise<void> {
  lastTurn = lastTurn.then(() => (document.hidden ? undefined : new Promise((resolve) => setTimeout(resolve))));
  return lastTurn;
}

/** Whether the first screen is complete: what it can do without may be asked for. */
export function useIsAfterFirstScreen(): boolean {
  const [isAfter, setAfter] = useState(false);
  useEffect(() => void firstScreen.then(() => setAfter(true)), []);
  return isAfter;
}

/** Watches the app's queries until the first screen is complete. Called once, when the app starts. */
export async function watchFirstScreen(client: QueryClient): Promise<void> {
  setTimeout(resolveFirstScreen, PATIENCE_MS);
  // An answer may bring a screen that asks for more: twice in a row nothing is missing.
  for (let calm = 0; calm < 2; calm += 1) {
    await nextIdle();
    if (client.isFetching() > 0) {
      calm = -1;
      await nextAnswer(client);
    }
  }
  resolveFirstScreen();
}

/** Resolves when the browser has drawn what there is and has nothing else to do. Safari has no idle callbacks. */
const nextIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 50);
  });

/** Resolves when the number of fetches in flight may have changed. */
const nextAnswer = (client: QueryClient): Promise<void> =>
  new Promise((resolve) => {
    const unsubscribe = client.getQueryCache().subscribe(({ type }) => {
      if (type !== 'updated') return;
      unsubscribe();
      resolve();
    });
  });
