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
  page.on('request', (request) => {
    asked.push(new URL(request.url()).pathname);
    unanswered.add(request);
  });
  page.on('requestfinished', (request) => void unanswered.delete(request));
  page.on('requestfailed', (request) => void unanswered.delete(request));
  return { asked, answered: () => expect.poll(() => [...unanswered].map((request) => request.url())).toEqual([]) };
}
