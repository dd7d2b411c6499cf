import { InputGroup, MenuItem, SegmentedControl, Switch } from '@blueprintjs/core';
import { SearchIcon, TickIcon } from '@blueprintjs/icons';
import { useEffect, useState } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import { type DeliveryCounts, deliveryOutcomeSchema } from '#backend/contract/delivery.ts';
import { OUTCOME_LABELS } from '#renderer/features/sources/shown/outcome-labels.ts';
import { FilterButton, FilterLabel } from '#renderer/ui/filter-button/filter-button.tsx';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { type LogView, SPANS } from './delivery-filter.ts';
import * as texts from './texts.ts';
import * as filterButtonStyles from '#renderer/ui/filter-button/filter-button.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';
import * as styles from './delivery-toolbar.module.css';

interface DeliveryToolbarProps {
  view: LogView;
  counts: DeliveryCounts | undefined;
  isLive: boolean;
  onLive: (isLive: boolean) => void;
  onChange: (part: Partial<LogView>) => void;
}

const ALL = 'all';

const withCount = (label: string, count: number | undefined): string =>
  count === undefined ? label : `${label} ${countText(count)}`;

/** What the log is narrowed to, and whether new deliveries come in by themselves. */
export function DeliveryToolbar({ view, counts, isLive, onLive, onChange }: DeliveryToolbarProps) {
  const total = counts && Object.values(counts.outcomes).reduce((sum, count) => sum + count, 0);
  const shown = deliveryOutcomeSchema.options.filter(
    (outcome) => outcome !== 'paused' || (counts?.outcomes.paused ?? 0) > 0 || view.outcome === 'paused',
  );
  return (
    <div className={styles.tools}>
      <SearchField text={view.q} onSearch={(q) => onChange({ q })} />
      <SegmentedControl
        className={styles.outcomes}
        aria-label={texts.outcome}
        options={[
          { value: ALL, label: withCount('All', total) },
          ...shown.map((value) => ({
            value,
            label: withCount(OUTCOME_LABELS[value], counts && (counts.outcomes[value] ?? 0)),
          })),
        ]}
        value={view.outcome ?? ALL}
        onValueChange={(value) => onChange({ outcome: deliveryOutcomeSchema.safeParse(value).data })}
      />
      <div className={styles.toolsEnd}>
        <SpanFilter hours={view.hours} onSelect={(hours) => onChange({ hours, range: undefined })} />
        <span className={filterButtonStyles.rule} />
        <Switch
          className={styles.live}
          label={texts.live}
          checked={isLive}
          onChange={({ currentTarget }) => onLive(currentTarget.checked)}
        />
      </div>
    </div>
  );
}

function SearchField({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const settled = useSettled(typed);
  const [known, setKnown] = useState(text);
  if (text !== known) {
    setKnown(text);
    // It was changed elsewhere, such as by "Show all deliveries".
    if (text !== settled) setTyped(text);
  }
  useEffect(() => {
    if (settled === typed && settled !== text) onSearch(settled);
  }, [settled, typed, text, onSearch]);
  return (
    <InputGroup
      className={styles.search}
      type="search"
      leftElement={<SearchIcon className={sourcesStyles.fieldIcon} />}
      placeholder={texts.searchBodiesIdsAddresses}
      aria-label={texts.searchBodiesIdsAddresses}
      maxLength={200}
      value={typed}
      onValueChange={setTyped}
    />
  );
}

interface SpanFilterProps {
  hours: number;
  onSelect: (hours: number) => void;
}

function SpanFilter(filter: SpanFilterProps) {
  return (
    <FilterButton load={async () => SpanMenu} content={filter}>
      <FilterLabel name="Time" value={SPANS.find(({ hours }) => hours === filter.hours)?.label} />
    </FilterButton>
  );
}

function SpanMenu({ hours, onSelect }: SpanFilterProps) {
  return (
    <MenuList label={texts.time}>
      {SPANS.map((span) => (
        <MenuItem
          key={span.hours}
          role="menuitemradio"
          aria-checked={span.hours === hours}
          text={span.label}
          labelElement={span.hours === hours ? <TickIcon /> : undefined}
          onClick={() => onSelect(span.hours)}
        />
      ))}
    </MenuList>
  );
}
