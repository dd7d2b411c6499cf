import {
  type Found,
  choice,
  choose,
  find,
  joinFound,
  linkOf,
  rule,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
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
    const name = choose(body, NAME);
    const folders = foldersOf(find(body.get('url')));
    const branch = find(build.get('scm')?.get('branch'));
    return {
      drafts: [
        readRun({
          element: body,
          name: joinFound('/', folders, name),
          branch,
          outcome: find(build.get('status')) ?? find(build.get('phase')),
          customer: folders,
          alertType: rule('build', 'what Jenkins reports'),
          // The name is that within the folder: each repository has its "main".
          dedupKey: joinFound(':', find(body.get('url')) ?? name, branch),
          link: linkOf(choose(body, LINK)),
          at: timeOf(find(build.get('timestamp'))),
        }),
      ],
    };
  },
};

/** The folders of a job, such as the repository of a branch: `job/shop/job/main/` is in `shop`. */
function foldersOf(url: Found | undefined): Found | undefined {
  const names = [...(url?.value ?? '').matchAll(/(?:^|\/)job\/([^/]+)/g)]
    .slice(0, -1)
    .map(([, name]) => decoded(name!));
  return url && names.length > 0 ? withValue(url, names.join('/'), 'the folders of the job') : undefined;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
