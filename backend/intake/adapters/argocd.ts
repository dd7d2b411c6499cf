import { choice, choose, find, joinFound, linkOf, rule, timeOf, withValue } from '#backend/intake/json/found.ts';
import type { Adapter } from './adapter.ts';
import { readRun } from './ci-run.ts';

const HEALTH = choice('app.status.health.status', 'health_status');
const PHASE = choice('app.status.operationState.phase', 'phase');
const SYNC = choice('app.status.sync.status', 'sync_status');
const NAME = choice('app.metadata.name', 'app');
const MESSAGE = choice('app.status.operationState.message', 'message');
const CONDITION = ['app', 'status', 'conditions', 0, 'message'];
const TIME = choice('app.status.operationState.finishedAt', 'finished_at');

/** Argo CD's notifications, in the template of the set-up or with the whole application in it. */
export const argocd: Adapter = {
  sender: 'argocd',
  read({ body }) {
    const app = choose(body, NAME);
    if (app === undefined) return { drafts: [] };
    const project = choose(body, choice('app.spec.project', 'project'));
    const phase = choose(body, PHASE);
    const health = choose(body, HEALTH);
    const sync = choose(body, SYNC);
    // A failed operation counts, then the health that it left behind, a sync that runs, and the health beside it.
    const failed = [phase, health].find((word) => word && /^(?:failed|error|degraded)$/i.test(word.value));
    // Argo CD cannot compare the application, such as when Git is not reachable.
    const unknown = failed === undefined && sync?.value.toLowerCase() === 'unknown' ? sync : undefined;
    const running = phase && /^(?:running|terminating)$/i.test(phase.value) ? phase : undefined;
    const outcome =
      failed ??
      (unknown && withValue(unknown, 'error', 'what cannot be compared has failed')) ??
      running ??
      health ??
      phase;
    const draft = readRun({
      element: body,
      name: app,
      outcome: outcome ?? sync,
      title: unknown && joinFound(': ', app, withValue(unknown, 'sync status unknown')),
      customer: project,
      alertType: rule('argocd.application', 'what Argo CD reports'),
      dedupKey: joinFound('/', choose(body, choice('app.metadata.namespace', 'namespace')), app),
      link: linkOf(find(body.get('url'))),
      at: timeOf(choose(body, TIME)),
    });
    return {
      drafts: [
        {
          ...draft,
          title: draft.severity
            ? joinFound(': ', draft.title, unknown ? find(body.at(CONDITION)) : choose(body, MESSAGE))
            : draft.title,
        },
      ],
    };
  },
};
