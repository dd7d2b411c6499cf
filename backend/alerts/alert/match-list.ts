import { belongsIn } from '#backend/contract/alert-place.ts';
import type { SearchTrait } from '#backend/contract/search.ts';
import { patternOf } from '#backend/platform/database/dialect.ts';
import type { PublishedAlert } from '#backend/platform/live/event-bus.ts';
import { spellingsOf } from '#backend/platform/search/search-text.ts';
import { type NarrowedList, hasStatus, labelKey } from './alert-list.ts';

/** What of an alert decides which lists it is in. */
export type MatchedAlert = Omit<PublishedAlert, 'json'>;

/** What says of an alert that it has a trait. */
const HAS_TRAIT: Record<SearchTrait, (alert: MatchedAlert) => boolean> = {
  test: ({ content }) => content.isTest,
  flapping: ({ content }) => content.isFlapping,
  quiet: ({ isQuiet }) => isQuiet,
};

/**
 * Whether an alert is in a narrowed list, decided without the database: for what cannot wait for it. It is what the list's
 * query would find, with names as they stood for something when the list was narrowed.
 */
export function compileList({
  parts,
  alternatives,
  labels,
  texts,
  traits,
  range,
}: NarrowedList): (alert: MatchedAlert) => boolean {
  const labelKeys = new Set(labels.map(labelKey));
  const patterns = texts.map((text) => patternOf(spellingsOf(text)));
  return (alert) => {
    const { id, customer, alertType, sourceId, content } = alert;
    const { severity, title, url, payload } = content;
    const named = { customer, alert_type: alertType, source_id: sourceId };
    return (
      (range.from === undefined || id >= range.from) &&
      (range.below === undefined || id < range.below) &&
      (traits.length === 0 || traits.some((trait) => HAS_TRAIT[trait](alert))) &&
      (labels.length === 0 || (content.label !== null && labelKeys.has(labelKey(content.label)))) &&
      alternatives.every(({ column, values }) => isAmong(values, named[column])) &&
      parts.some(
        ({ list, filter }) =>
          hasStatus(filter, alert.status) &&
          (filter.customer === undefined || filter.customer === customer) &&
          (filter.alertType === undefined || filter.alertType === alertType) &&
          isAmong(filter.severity, severity) &&
          isAmong(filter.source, sourceId) &&
          belongsIn(list, { ...alert, folderId: content.folderId }),
      ) &&
      patterns.every((pattern) => [title, customer, url, payload].some((text) => text !== null && pattern.test(text)))
    );
  };
}

/** A field of which every alert of a list has one of a few values; of labels these are their {@link labelKey}s. */
interface Requirement {
  field: 'label' | 'sourceId' | 'customer' | 'alertType' | 'ownerId' | 'severity';
  values: readonly string[];
}

/** What every alert of a list has, by the field that few alerts share, where there is one: others need not be looked at. */
export function requirementOf({ parts, alternatives, labels }: NarrowedList): Requirement | undefined {
  const named = (column: 'customer' | 'alert_type') => alternatives.find((one) => one.column === column)?.values;
  const ofParts = (valuesOf: (part: NarrowedList['parts'][number]) => readonly string[] | undefined) => {
    const all = parts.map(valuesOf);
    return all.every((values) => values !== undefined) ? [...new Set(all.flat())] : undefined;
  };
  const wanted: [Requirement['field'], readonly string[] | undefined][] = [
    ['label', labels.length > 0 ? [...new Set(labels.map(labelKey))] : undefined],
    ['sourceId', ofParts(({ filter }) => filter.source)],
    ['customer', named('customer') ?? ofParts(({ filter }) => only(filter.customer))],
    ['alertType', named('alert_type') ?? ofParts(({ filter }) => only(filter.alertType))],
    ['ownerId', ofParts(({ list }) => ('ownerId' in list && list.list !== 'snoozed' ? [list.ownerId] : undefined))],
    ['severity', ofParts(({ filter }) => filter.severity)],
  ];
  for (const [field, values] of wanted) if (values) return { field, values };
  return undefined;
}

const only = (value: string | undefined) => (value === undefined ? undefined : [value]);

const isAmong = (values: readonly string[] | undefined, value: string | null): boolean =>
  values === undefined || (value !== null && values.includes(value));
