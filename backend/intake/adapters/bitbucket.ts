import { choice, choose, find, findHeader, join, joinFound, linkOf, timeOf } from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import type { Adapter, Draft } from './adapter.ts';
import { readRun } from './ci-run.ts';
import { readAny } from './generic.ts';

const BRANCH = choice('refname', 'commit.hash');
const TIME = choice('updated_on', 'created_on');
const PAGE = ['issue', 'pullrequest', 'comment', 'repository'];

/** Bitbucket's webhooks: the status of a commit is that of a build, all else is read by its words. */
export const bitbucket: Adapter = {
  sender: 'bitbucket',
  read({ headers, body }) {
    if (!body.isObject) return { drafts: [] };
    const repository = find(body.at(['repository', 'full_name']));
    const event = findHeader(headers, 'x-event-key');
    const common = { customer: repository, alertType: event, deliveryId: findHeader(headers, 'x-request-uuid') };
    const status = body.get('commit_status');
    if (status?.isObject) return { drafts: [{ ...statusOf(body, status), ...common }] };
    const read = readAny(body);
    const dedupKey = read.dedupKey && joinFound(':', repository, read.dedupKey);
    const page = linkOf(...PAGE.map((name) => find(body.at([name, 'links', 'html', 'href']))));
    return { drafts: [{ ...read, ...common, dedupKey, link: page }] };
  },
};

function statusOf(body: JsonValue, status: JsonValue): Draft {
  const branch = choose(status, BRANCH);
  const repository = find(body.at(['repository', 'full_name']));
  return readRun({
    element: body,
    name: find(status.get('name')) ?? find(status.get('key')),
    branch: find(status.get('refname')),
    outcome: find(status.get('state')),
    customer: repository,
    alertType: undefined,
    dedupKey: join(':', repository, joinFound(':', find(status.get('key')), branch)),
    link: linkOf(find(status.get('url')), find(body.at(['repository', 'links', 'html', 'href']))),
    at: timeOf(choose(status, TIME)),
  });
}
