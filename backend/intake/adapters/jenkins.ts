import { choice, choose, find, joinFound, linkOf, rule, timeOf } from '#backend/intake/json/found.ts';
import type { Adapter } from './adapter.ts';
import { readRun } from './ci-run.ts';

const NAME = choice('display_name', 'name');
const LINK = choice('build.full_url', 'build.url');

/** The Notification plugin of Jenkins: a message for each phase of a build, of which those with a result count. */
export const jenkins: Adapter = {
  sender: 'jenkins',
  read({ body }) {
    const build = body.get('build');
    if (!build?.isObject) return { drafts: [] };
    const job = find(body.get('name')) ?? find(body.get('url'));
    const branch = find(build.get('scm')?.get('branch'));
    return {
      drafts: [
        readRun({
          element: body,
          name: choose(body, NAME),
          branch,
          outcome: find(build.get('status')) ?? find(build.get('phase')),
          customer: undefined,
          alertType: rule('build', 'what Jenkins reports'),
          dedupKey: joinFound(':', job, branch),
          link: linkOf(choose(body, LINK)),
          at: timeOf(find(build.get('timestamp'))),
        }),
      ],
    };
  },
};
