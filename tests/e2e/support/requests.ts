import { type Page, type Request, expect } from '@playwright/test';

/** What a page asks its server for. */
export interface Requests {
  /** The paths, in the order in which they were asked for. */
  readonly asked: string[];
  /** Resolves when none is without an answer. */
  answered(): Promise<void>;
}

/** Watches what a page asks for from now on. `networkidle` comes once for each document, and not again after later requests. */
export function watchRequests(page: Page): Requests {
  const asked: string[] = [];
  const unanswered = new Set<Request>();
  let isLoading = false;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) isLoading = true;
    asked.push(new URL(request.url()).pathname);
    unanswered.add(request);
  });
  page.on('requestfinished', (request) => void unanswered.delete(request));
  page.on('requestfailed', (request) => void unanswered.delete(request));
  // How a request of a document that is gone ended is not always said.
  page.on('framenavigated', (frame) => {
    if (!isLoading || frame !== page.mainFrame()) return;
    isLoading = false;
    for (const request of unanswered) if (!request.isNavigationRequest()) unanswered.delete(request);
  });
  return { asked, answered: () => expect.poll(() => [...unanswered].map((request) => request.url())).toEqual([]) };
}
