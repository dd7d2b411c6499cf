import type { UtilityProcess } from 'electron';
import { type EmbeddedReport, embeddedReportSchema } from '#backend/contract/embedded.ts';
import type { UpdateProgress } from '#electron/contract/server-choice.ts';

/** How long the server may take to start, without the time in which it updates its database, in milliseconds. */
const START_TIMEOUT_MS = 60_000;

/** A server that listens. */
export interface Running {
  child: UtilityProcess;
  origin: string;
  path: string;
}

/** Another program has the port. */
export class PortTakenError extends Error {}

/**
 * Resolves when the server listens. One that does not is ended after a minute, but never while it updates its database,
 * which takes as long as there is data.
 *
 * @throws {Error} with a sentence when it does not start
 */
export function whenListening(child: UtilityProcess, onUpdating: (progress: UpdateProgress) => void): Promise<Running> {
  return new Promise((resolve, reject) => {
    const startTimer = () =>
      setTimeout(() => {
        child.kill();
        reject(new Error('The server on this computer did not start within a minute.'));
      }, START_TIMEOUT_MS);
    let timer = startTimer();
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The server on this computer ended with code ${code} before it listened.`));
    });
    child.on('message', (message: unknown) => {
      const report: EmbeddedReport | undefined = embeddedReportSchema.safeParse(message).data;
      if (!report) return;
      clearTimeout(timer);
      if (report.type === 'updating') {
        const { done, total } = report;
        if (done === total) timer = startTimer();
        onUpdating({ done, total });
      } else if (report.type === 'listening') {
        resolve({ child, origin: `http://127.0.0.1:${new URL(report.url).port}`, path: report.path ?? '/' });
      } else {
        reject(report.isPortTaken ? new PortTakenError(report.message) : new Error(report.message));
      }
    });
  });
}
