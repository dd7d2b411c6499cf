import { choice, choose, find, joinFound, linkOf, timeOf } from '#backend/intake/json/found.ts';
import type { Adapter } from './adapter.ts';
import { readRun } from './ci-run.ts';

const PLACE = choice('project.slug', 'project.name');
const BRANCH = choice('pipeline.vcs.branch', 'pipeline.vcs.tag', 'pipeline.trigger_parameters.git.branch');
const OUTCOME = choice('job.status', 'workflow.status');

/** CircleCI's webhooks: a workflow or one of its jobs has ended. */
export const circleci: Adapter = {
  sender: 'circleci',
  read({ body }) {
    const type = find(body.get('type'));
    const workflow = find(body.at(['workflow', 'name']));
    if (type === undefined || workflow === undefined) return { drafts: [] };
    const job = find(body.at(['job', 'name']));
    const branch = choose(body, BRANCH);
    return {
      drafts: [
        readRun({
          element: body,
          name: joinFound(' ', workflow, job),
          branch,
          outcome: choose(body, OUTCOME),
          customer: choose(body, PLACE),
          alertType: type,
          dedupKey: joinFound(':', choose(body, PLACE), workflow, job, branch),
          deliveryId: find(body.get('id')),
          link: linkOf(find(body.at(['workflow', 'url']))),
          at: timeOf(find(body.get('happened_at'))),
        }),
      ],
    };
  },
};
