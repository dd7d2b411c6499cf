import { Button, InputGroup } from '@blueprintjs/core';
import { DataConnectionIcon, OfflineIcon, PlusIcon, SearchIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Source } from '#backend/contract/source.ts';
import { sourcesQuery } from '#renderer/features/sources/data/get-sources.ts';
import { HEALTH_NAMES, type HealthState, needsAttention } from '#renderer/features/sources/shown/health-labels.ts';
import { NEW_SOURCE_PAGE } from '#renderer/features/sources/shown/source-addresses.ts';
import { type SourceActions, useSourceActions } from '#renderer/features/sources/shown/use-source-actions.tsx';
import { isCurrentAnswer } from '#renderer/lib/query-freshness.ts';
import { noteSearchField } from '#renderer/lib/search-target.ts';
import { ChoiceFilter } from '#renderer/ui/filter-button/choice-filter.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { ADMIN_PANEL, SOURCE_PAGES } from '#renderer/lib/paths.ts';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { PageTabs } from '#renderer/ui/page-head/page-tabs.tsx';
import { inOrder, matching, orderOf } from './source-order.ts';
import { SourceRow } from './source-row.tsx';
import { SourcesSkeleton } from './sources-skeleton.tsx';
import { UnknownKeysSheet } from './unknown-keys-sheet.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';
import * as filterButtonStyles from '#renderer/ui/filter-button/filter-button.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as tableStyles from '#renderer/features/sources/shown/table.module.css';
import * as sourceRowStyles from './source-row.module.css';
import * as styles from './sources-page.module.css';

/** Sources: what sends alerts, how each is doing, and requests of none of them. */
export function SourcesPage() {
  const query = useQuery(sourcesQuery);
  const { data: sources, error, refetch } = query;
  const isCurrent = isCurrentAnswer(query);
  const [search, setSearch] = useState('');
  const [health, setHealth] = useState<HealthState>();
  // Their dialogs stay when the row that they were opened from leaves the list.
  const { actions, dialogs } = useSourceActions();
  const attention = sources?.filter(needsAttention).length ?? 0;
  return (
    <div className={`${pageHeadStyles.page} ${styles.sources}`}>
      <PageHead
        title={common.sources}
        parent={ADMIN_PANEL}
        count={sources?.length}
        countLabel={
          <>
            {sources?.length === 1 ? texts.source : texts.sources}
            {attention > 0 && <>{texts.needsAttention(<strong>{attention}</strong>, attention)}</>}
          </>
        }
      >
        {sources !== undefined && sources.length > 0 && (
          <>
            <InputGroup
              className={styles.sourcesSearch}
              type="search"
              inputRef={noteSearchField}
              leftElement={<SearchIcon className={sourcesStyles.fieldIcon} />}
              placeholder={texts.searchSources}
              aria-label={texts.searchSources}
              aria-keyshortcuts="/"
              value={search}
              onValueChange={setSearch}
            />
            <HealthFilter health={health} onSelect={setHealth} />
            <span className={filterButtonStyles.rule} />
          </>
        )}
        <NewSourceButton />
      </PageHead>
      <PageTabs isFirst label={pageTexts.sourcesAndKeys} tabs={SOURCE_PAGES} />
      <div className={panelStyles.pageBody}>
        {sources ? (
          <HoverTip className={styles.sourcesSheets}>
            {sources.length > 0 ? (
              <SourceTable
                sources={sources}
                isCurrent={isCurrent}
                search={search}
                health={health}
                actions={actions}
                onClear={() => {
                  setSearch('');
                  setHealth(undefined);
                }}
              />
            ) : (
              <EmptyState
                icon={<DataConnectionIcon size={40} />}
                title={pageTexts.noSourcesYet}
                text={texts.sourceIsOnePlaceThat}
              />
            )}
            <UnknownKeysSheet />
          </HoverTip>
        ) : error ? (
          <EmptyState
            isError
            icon={<OfflineIcon size={40} />}
            title={texts.sourcesCouldNotBeLoaded}
            text={error.message}
            action={<Button text={common.tryAgain} onClick={() => void refetch()} />}
          />
        ) : (
          <SourcesSkeleton />
        )}
      </div>
      {dialogs}
    </div>
  );
}

function NewSourceButton() {
  const navigate = useNavigate();
  return (
    <Button
      className={pageHeadStyles.action}
      intent="primary"
      icon={<PlusIcon />}
      text={texts.newSource}
      onClick={() => void navigate(NEW_SOURCE_PAGE)}
    />
  );
}

interface HealthFilterProps {
  health: HealthState | undefined;
  onSelect: (health: HealthState | undefined) => void;
}

const HealthFilter = ({ health, onSelect }: HealthFilterProps) => (
  <ChoiceFilter name={texts.health} all={texts.all} choices={HEALTHS} chosen={health} onChoose={onSelect} />
);

const HEALTHS = (['ok', 'refusing', 'silent', 'never-used', 'paused'] as const).map((value) => ({
  value,
  label: HEALTH_NAMES[value],
}));

interface SourceTableProps {
  sources: readonly Source[];
  /** Whether they are as they are now, and not as they were when the page was last open. */
  isCurrent: boolean;
  search: string;
  health: HealthState | undefined;
  actions: SourceActions;
  onClear: () => void;
}

/** The sources as rows. Their order is decided when the page opens, so that no row moves under the pointer. */
function SourceTable({ sources, isCurrent, search, health, actions, onClear }: SourceTableProps) {
  const [order, setOrder] = useState<readonly string[]>();
  if (isCurrent && !order) setOrder(orderOf(sources));
  const shown = matching(inOrder(sources, order ?? orderOf(sources)), search, health);
  if (shown.length === 0) {
    const title =
      search.trim() === '' ? texts.noSourcesAre(HEALTH_NAMES[health ?? 'ok']) : texts.noSourcesMatch(search.trim());
    return (
      <EmptyState
        icon={<SearchIcon size={40} />}
        title={title}
        text={texts.namesOfSourcesAndOf}
        action={<Button text={texts.clearSearch} onClick={onClear} />}
      />
    );
  }
  return (
    <table className={`${tableStyles.table} ${panelStyles.rows_sheet}`} aria-label={common.sources}>
      <thead>
        <tr className={`${sourceRowStyles.row} ${tableStyles.head}`}>
          <th scope="col">{pageTexts.source}</th>
          <th scope="col">{texts.health}</th>
          <th scope="col" className={sourceRowStyles.day}>
            {pageTexts.last24Hours}
          </th>
          <th scope="col" className={sourceRowStyles.last}>
            {texts.lastDelivery}
          </th>
          <th scope="col" className={sourceRowStyles.refused}>
            {texts.refusedToday}
          </th>
          <th scope="col">
            <span className="ad-hidden">{texts.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map((source) => (
          <SourceRow key={source.id} source={source} actions={actions} />
        ))}
      </tbody>
    </table>
  );
}
