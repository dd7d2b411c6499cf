import cluster from 'node:cluster';
import process from 'node:process';
import { unavailable } from '#backend/platform/endpoint/errors.ts';
import type { RunningServer } from '#backend/server/server-parts.ts';
import { type PrimaryOrder, WORKER_NUMBER, type WorkerReport } from './messages.ts';

/** How long the primary process may take to add up what all workers count, in milliseconds. */
const SCRAPE_MS = 3_000;

/** The worker's side of its connection with the primary process. */
export interface WorkerLink {
  /** For its log lines. */
  name: string;
  /**
   * What all workers count, for `/metrics`.
   *
   * @throws {ProblemError} when the primary process does not answer
   */
  scrape(): Promise<string>;
  /** Reports that the server listens. From then on `stop` is called when it is to stop, also because nobody is left to order it. */
  serve(server: RunningServer, stop: (options: { isReplaced: boolean }) => void): void;
  /** Reports what was counted until the end. */
  leave(server: RunningServer): Promise<void>;
}

/** The connection of this process, when it is one of several workers. */
export function linkToPrimary(): WorkerLink | undefined {
  const { worker } = cluster;
  const number = process.env[WORKER_NUMBER];
  // Without a number it is a worker of another program, such as pm2, which knows none of these messages.
  if (!worker || number === undefined) return undefined;
  let scrapes: ((text: string) => void)[] = [];

  return {
    name: `worker ${number}`,
    scrape: () =>
      new Promise((resolve, reject) => {
        const answer = (text: string) => {
          clearTimeout(timer);
          resolve(text);
        };
        const timer = setTimeout(() => {
          scrapes = scrapes.filter((other) => other !== answer);
          reject(unavailable('The counts of all workers could not be added up in time.', 5));
        }, SCRAPE_MS);
        scrapes.push(answer);
        void report({ type: 'scrape' });
      }),
    serve(server, stop) {
      process.on('message', (order: PrimaryOrder) => {
        if (order.type === 'stop') stop(order);
        if (order.type === 'count') void count(server);
        if (order.type === 'scraped') {
          for (const resolve of scrapes) resolve(order.text);
          scrapes = [];
        }
      });
      worker.once('disconnect', () => {
        // Else Node.js ends this process here, with requests that are not answered.
        worker.exitedAfterDisconnect = true;
        stop({ isReplaced: false });
      });
      const { url, firstAdmin, setupToken } = server;
      void report({ type: 'listening', server: { url, firstAdmin, setupToken } });
    },
    leave: count,
  };
}

/** Resolves when it is sent. What cannot be sent concerns a primary process that has ended. */
const report = (message: WorkerReport): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

const count = async ({ metrics }: RunningServer): Promise<void> =>
  report({ type: 'counted', values: await metrics.values() });
