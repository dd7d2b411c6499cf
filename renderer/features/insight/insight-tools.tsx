import { Button, SegmentedControl } from '@blueprintjs/core';
import { CalendarIcon, ExportIcon } from '@blueprintjs/icons';
import type { Insight, InsightName } from '#backend/contract/insight.ts';
import type { FilterMenuProps } from '#renderer/alerts/list/filter-menu.tsx';
import { type FilterOption, chosenText } from '#renderer/alerts/list/filter-options.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { useSession } from '#renderer/session/session.ts';
import { FilterButton, FilterLabel } from '#renderer/ui/filter-button/filter-button.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { Suspense } from 'react';
import { rangeText } from './figure-labels.ts';
import { type InsightView, PRESETS, insightPath } from './insight-range.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as filterButtonStyles from '#renderer/ui/filter-button/filter-button.module.css';
import * as styles from './insight.module.css';

const DatesDialog = lazyWithRetry(async () => (await import('./dates-dialog.tsx')).DatesDialog, 'report');
const InsightExportDialog = lazyWithRetry(
  async () => (await import('./insight-export-dialog.tsx')).InsightExportDialog,
  'report',
);

const RANGES = PRESETS.map((days) => ({ value: String(days), label: texts.days(days) }));

/** What of an address changes; undefined is left out of it. */
export type InsightChange = Record<string, string | undefined>;

const FILTERS = [
  { key: 'source', name: pageTexts.source, plural: 'sources' },
  { key: 'customer', name: pageTexts.customer, plural: 'customers' },
  { key: 'alertType', name: texts.type, plural: 'types' },
  { key: 'person', name: texts.person, plural: 'persons' },
] as const;

interface InsightToolsProps {
  view: InsightView;
  timeZone: string;
  /** The figures of the same days without filters, which have the options; undefined while they are loading. */
  unfiltered: Insight | undefined;
  onChange: (change: InsightChange) => void;
}

/** What is shown: filters, days, and the file of it. */
export function InsightTools({ view, timeZone, unfiltered, onChange }: InsightToolsProps) {
  const { id: me } = useSession();
  const dates = useDialog();
  const exporting = useDialog();
  const { groups } = unfiltered ?? {};
  const options = {
    source: optionsOf(groups?.source, view.source, () => texts.deletedSource),
    customer: optionsOf(groups?.customer, view.customer, (id) => id),
    alertType: optionsOf(groups?.alertType, view.alertType, (id) => id),
    person: optionsOf(groups?.person, view.person, () => texts.someone, me),
  };
  return (
    <>
      {FILTERS.map(
        ({ key, name, plural }) =>
          options[key].length > 0 && (
            <NameFilter
              key={key}
              name={name}
              filterLabel={texts.filterPlural(plural)}
              options={options[key]}
              values={[view[key] ?? []].flat()}
              onSelect={(value) => onChange({ [key]: value })}
              onType={() => undefined}
              isSearching={false}
            />
          ),
      )}
      <span className={filterButtonStyles.rule} aria-hidden />
      <SegmentedControl
        aria-label={texts.rangeOfDays}
        options={RANGES}
        value={view.preset === undefined ? '' : String(view.preset)}
        onValueChange={(days) => onChange({ days, from: undefined, to: undefined })}
      />
      <Button
        icon={<CalendarIcon />}
        active={view.preset === undefined}
        aria-label={texts.chooseDays}
        aria-haspopup="dialog"
        data-tip={texts.chooseDays}
        onClick={() => dates.open(true)}
      />
      <Button
        className={styles.export}
        icon={<ExportIcon />}
        text={pageTexts.exportAction}
        aria-label={pageTexts.exportAction}
        aria-haspopup="dialog"
        onClick={() => exporting.open(true)}
      />
      <Suspense>
        {dates.shown && (
          <DatesDialog
            key={dates.shown.key}
            from={view.from}
            to={view.to}
            timeZone={timeZone}
            onChoose={(chosen) =>
              onChange({ from: chosen.from, to: chosen.to, timeZone: chosen.timeZone, days: undefined })
            }
            presence={dates.shown.presence}
          />
        )}
        {exporting.shown && (
          <InsightExportDialog
            key={exporting.shown.key}
            path={insightPath(view, timeZone)}
            range={`${rangeText(view.from, view.to)}, ${timeZone}`}
            presence={exporting.shown.presence}
          />
        )}
      </Suspense>
    </>
  );
}

/** What can be filtered by: names that have alerts, and the one that is set. @param me id of the member */
function optionsOf(
  rows: readonly InsightName[] = [],
  value: string | undefined,
  nameless: (id: string) => string,
  me?: string,
): FilterOption[] {
  const options = rows.flatMap(({ id, name, isDeleted, arrived }) =>
    id === null
      ? []
      : [{ value: id, label: id === me ? texts.me : (name ?? nameless(id)), alerts: arrived, isDeleted }],
  );
  const isKnown = value === undefined || options.some((option) => option.value === value);
  return isKnown ? options : [{ value, label: value === me ? texts.me : nameless(value) }, ...options];
}

const loadMenu = async () => (await import('#renderer/alerts/list/filter-menu.tsx')).FilterMenu;

function NameFilter(filter: FilterMenuProps) {
  const { name, options, values } = filter;
  const shown = chosenText(options, values);
  return (
    <FilterButton isSet={shown !== undefined} load={loadMenu} content={filter}>
      <FilterLabel name={name} value={shown === undefined ? 'All' : inertLine(shown)} />
    </FilterButton>
  );
}
