import { choice, choose, find, joinFound, linkOf, rule, timeOf } from '#backend/intake/json/found.ts';
import type { Adapter } from './adapter.ts';
import { readRun } from './ci-run.ts';

const HEALTH = choice('app.status.health.status', 'health_status');
const PHASE = choice('app.status.operationState.phase', 'phase');
const SYNC = choice('app.status.sync.status', 'sync_status');
const NAME = choice('app.metadata.name', 'app');
const MESSAGE = choice('app.status.operationState.message', 'message');
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
    // A failed operation counts, then the health that it left behind.
    const outcome =
      [phase, health].find((word) => word && /^(?:failed|error|degraded)$/i.test(word.value)) ?? health ?? phase;
    const draft = readRun({
      element: body,
      name: app,
      outcome: outcome ?? choose(body, SYNC),
      customer: project,
      alertType: rule('argocd.application', 'what Argo CD reports'),
      dedupKey: joinFound('/', choose(body, choice('app.metadata.namespace', 'namespace')), app),
      link: linkOf(find(body.get('url'))),
      at: timeOf(choose(body, TIME)),
    });
    return {
      drafts: [{ ...draft, title: draft.severity ? joinFound(': ', draft.title, choose(body, MESSAGE)) : draft.title }],
    };
  },
};
