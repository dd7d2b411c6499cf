import type { AlertSeverity } from '#backend/contract/alert.ts';
import type { Adapter, Draft } from './adapter.ts';
import {
  type Found,
  find,
  firstSeverity,
  linkOf,
  rule,
  timeOf,
  traced,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import { readMailSubject } from '#backend/intake/understanding/mail-subject.ts';
import { plainText } from '#backend/intake/understanding/plain-text.ts';

/** The media type of an email as it is read and logged: the JSON that `intake/mail/read-mail` makes of a message. */
export const MAIL_TYPE = 'application/vnd.alertdesk.mail+json';

/**
 * An email that was sent to a source's address. The subject is the headline and says where the problem stands; mails of one
 * thread, and mails whose subjects differ only in marks of state, reply prefixes and counters, are one problem.
 */
export const email: Adapter = {
  sender: 'email',
  read({ body }) {
    if (!body.isObject) return { drafts: [] };
    const written = find(body.get('subject'));
    const text = find(body.get('text'));
    const subject = written ?? (text && withValue(text, plainText(text.value), 'the first line: there is no subject'));
    const said = subject && readMailSubject(subject.value, find(body.get('listTag'))?.value);
    const draft: Draft = {
      element: body,
      title:
        subject &&
        said &&
        withValue(subject, said.headline, said.headline === subject.value ? subject.note : 'as plain text'),
      customer: find(body.at(['from', 'name'])) ?? find(body.at(['from', 'address'])),
      severity: severityOf(body, subject, said?.severity),
      state:
        subject && said?.mark !== undefined
          ? withValue(subject, said.state, `by “${said.mark}”`)
          : rule('firing', 'the subject does not say that it is over', 'subject'),
      dedupKey: keyOf(body, subject, said?.key),
      deliveryId: find(body.get('messageId')),
      link: linkOf(find(body.get('link'))),
      at: timeOf(find(body.get('date'))),
      ignored: find(body.get('ignored'))?.value,
    };
    return { drafts: [draft] };
  },
};

/** The thread's key, where the mail replies to one that is known, else what the subject is about. */
function keyOf(body: JsonValue, subject: Found | undefined, key: string | undefined): Found | undefined {
  const thread = find(body.get('thread'));
  if (thread) return traced(`mail:${thread.value}`, body.get('thread')!, 'its thread');
  return subject && key
    ? withValue(subject, `mail:${key}`, 'without marks of state, prefixes and counters')
    : undefined;
}

/** The subject's word counts before the importance that its author gave it. */
function severityOf(
  body: JsonValue,
  subject: Found | undefined,
  severity: AlertSeverity | undefined,
): Found<AlertSeverity> | undefined {
  if (subject && severity) return withValue(subject, severity, 'by the words of its subject');
  return find(body.get('importance'))?.value === 'high' ? firstSeverity(find(body.get('importance'))) : undefined;
}
