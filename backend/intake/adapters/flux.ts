import {
  choice,
  choose,
  find,
  joinFound,
  linkOf,
  rule,
  severityOf,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { Adapter, Draft } from './adapter.ts';

const OBJECT = choice('involvedObject.name');

/**
 * Reasons of an object that is as it should be again; other news of `info`, such as `DependencyNotReady`, ends nothing. A source
 * that recovers with another revision reports its new artifact alone
 * (https://github.com/fluxcd/source-controller/blob/main/internal/controller/gitrepository_controller.go, `notify`).
 */
const ENDS = /(?:Succeeded|Succeed|NewArtifact|(?<!Not)(?:Healthy|Ready))$/;

/** The generic provider of Flux: what went wrong with an object is a problem until a reconciliation succeeds. */
export const flux: Adapter = {
  sender: 'flux',
  read({ body }) {
    const name = choose(body, OBJECT);
    const message = find(body.get('message'));
    if (name === undefined || message === undefined) return { drafts: [] };
    const object = body.get('involvedObject');
    const severity = severityOf(find(body.get('severity')));
    const reason = find(body.get('reason'));
    const isBad = severity?.value === 'high';
    const isEnd = !isBad && reason !== undefined && ENDS.test(reason.value);
    const draft: Draft = {
      element: body,
      title: joinFound(': ', joinFound(' ', find(object?.get('kind')), name), message),
      customer: find(object?.get('namespace')),
      alertType: reason,
      severity,
      state: reason ? withValue(reason, isEnd ? 'resolved' : 'firing') : rule('firing', 'no reason ends it'),
      dedupKey: joinFound('/', find(object?.get('kind')), find(object?.get('namespace')), name),
      link: linkOf(find(body.at(['metadata', 'commit_url']))),
      at: timeOf(find(body.get('timestamp'))),
    };
    const isNews = !isBad && !isEnd && severity?.value === 'info';
    return { drafts: [isNews ? { ...draft, ignored: `Nothing to do: ${reason?.value ?? 'info'}` } : draft] };
  },
};
