import {
  TICKET_TEMPLATES,
  TICKET_VALUES,
  type TicketField,
  type TicketSystem,
  type TicketTemplates,
  type TicketValue,
} from '#backend/contract/ticket.ts';
import type { OutgoingPayload } from '#backend/contract/outgoing.ts';
import { type Template, placeOf, readTemplate } from '#backend/intake/reading/mapping-template.ts';
import { fieldNameOf } from './message-fields.ts';

/** Texts that templates name. */
export interface TicketValues {
  texts: Record<Exclude<TicketValue, 'fields' | 'details'>, string>;
  /** Fields of the alert, by their name. */
  fields: readonly { name: string; value: string }[];
}

/** Values of an alert for the templates of its ticket. @param words its severity in the words of the ticket system */
export function valuesOf(
  { data: { alert } }: OutgoingPayload,
  words: { priority: string; urgency: string },
): TicketValues {
  return {
    texts: {
      ...words,
      title: alert.title,
      severity: alert.severity === 'none' ? '' : alert.severity,
      status: alert.status,
      customer: alert.customer ?? '',
      type: alert.alertType ?? '',
      label: alert.label ?? '',
      source: alert.source ?? '',
      owner: alert.owner ?? '',
      occurrences: String(alert.occurrences),
      receivedAt: alert.receivedAt,
      link: alert.link ?? '',
    },
    fields: alert.fields,
  };
}

/** What is wrong with a template, with line and character; undefined when nothing is. */
export function faultOfTemplate(written: string): string | undefined {
  const read = readTemplate(written);
  if ('error' in read) return read.error;
  let at = 0;
  for (const part of read.parts) {
    if (typeof part === 'string') continue;
    at = written.indexOf(part.written, at);
    const fault = faultOfPath(part.path, part.written);
    if (fault !== undefined) return `${placeOf(written, at)}: ${fault}`;
    at += part.written.length;
  }
  return undefined;
}

type Path = Exclude<Template['parts'][number], string>['path'];

function faultOfPath(path: Path, written: string): string | undefined {
  if (path.kind !== 'names' || path.ofBody) return `${written} is no name of a value. ${KNOWN}`;
  const [name, ...rest] = path.names;
  if (!TICKET_VALUES.includes(name as TicketValue)) return `There is no value ${String(name)}. ${KNOWN}`;
  if (name === 'fields' && rest.length !== 1) return 'Name a field of the alert, as in fields.host.';
  return name === 'fields' || rest.length === 0 ? undefined : `${String(name)} has no parts.`;
}

const KNOWN = `There are: ${TICKET_VALUES.join(', ')}.`;

/** The template of a field: what was written, or the usual one of the kind. */
export function templateOf(kind: TicketSystem, templates: TicketTemplates, field: TicketField): string {
  const usual = TICKET_TEMPLATES[kind][field] ?? '';
  const written = templates[field];
  const isNeeded = field === 'summary' || field === 'description';
  return written === undefined || (isNeeded && written.trim() === '') ? usual : written;
}

/**
 * Puts values into a template. A line of which no path finds a value is left out: "Customer:" without a customer says nothing.
 *
 * @param escape takes from a value what the ticket system would read as marks; texts of the template stay as they are
 */
export function fill(written: string, values: TicketValues, escape: (text: string) => string): string {
  const read = readTemplate(written);
  // Checked when it was saved: what an earlier release took and this one does not is shown as it is.
  if ('error' in read) return written;
  const lines: string[] = [];
  let line = { text: '', paths: 0, found: 0 };
  const end = (): void => {
    if (line.paths === 0 || line.found > 0) lines.push(line.text);
    line = { text: '', paths: 0, found: 0 };
  };
  for (const part of read.parts) {
    if (typeof part === 'string') {
      const [first = '', ...others] = part.split('\n');
      line.text += first;
      for (const other of others) {
        end();
        line.text = other;
      }
      continue;
    }
    const value = valueAt(part.path, values, escape);
    line.paths += 1;
    if (value !== '') line.found += 1;
    line.text += value;
  }
  end();
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function valueAt(path: Path, { texts, fields }: TicketValues, escape: (text: string) => string): string {
  const [name, field] = path.kind === 'names' ? path.names : [];
  if (name === 'details') return fields.map((one) => `${escape(one.name)}: ${escape(one.value)}`).join('\n');
  if (name === 'fields') {
    // Written as the sender does or as messages show it: both are one name.
    const shown = fieldNameOf(String(field));
    return escape(fields.find((one) => one.name === shown)?.value ?? '');
  }
  // An address with a backslash in it leads nowhere.
  if (name === 'link') return texts.link;
  return escape(texts[name as keyof TicketValues['texts']] ?? '');
}
