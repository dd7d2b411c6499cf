import { Button, InputGroup } from '@blueprintjs/core';
import { PlusIcon, PulseIcon, SearchIcon } from '@blueprintjs/icons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import {
  type Heartbeat,
  type HeartbeatList,
  type HeartbeatState,
  heartbeatStateSchema,
} from '#backend/contract/heartbeat.ts';
import { SCREEN_KEYS, useScreenKey } from '#renderer/alerts/keys/screen-keys.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { isCurrentAnswer } from '#renderer/lib/query-freshness.ts';
import { noteSearchField } from '#renderer/lib/search-target.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { useSession } from '#renderer/session/session.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { ChoiceFilter } from '#renderer/ui/filter-button/choice-filter.tsx';
import { leaveFocusToRows } from '#renderer/ui/keep-focus.ts';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { BeatLegend } from './beat-strip.tsx';
import { DowntimeLines } from './downtime-lines.tsx';
import { STATE_LABELS } from './heartbeat-labels.ts';
import { HeartbeatRow } from './heartbeat-row.tsx';
import { PAGE, heartbeatsQuery } from './heartbeats-data.ts';
import { type HeartbeatActions, useHeartbeatActions } from './use-heartbeat-actions.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as filterButtonStyles from '#renderer/ui/filter-button/filter-button.module.css';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';
import * as tableStyles from '#renderer/features/sources/shown/table.module.css';
import * as styles from './heartbeats.module.css';

/** So long after the last key a search is made, in milliseconds. */
const TYPED_MS = 200;

/** Heartbeats: what has to call again and again, and how each stands. Every member reads them. */
export function HeartbeatsPage() {
  const isAdmin = useSession().role === 'admin';
  const [search, setSearch] = useState('');
  const [state, setState] = useState<HeartbeatState>();
  // Their dialogs stay when the row that they were opened from leaves the list.
  const { actions, dialogs } = useHeartbeatActions();
  const typed = useSettled(search.trim(), TYPED_MS);
  const query = useInfiniteQuery(heartbeatsQuery(typed, state));
  const [first] = query.data?.pages ?? [];
  const counts = first?.counts;
  const expected = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  const clear = (): void => {
    setSearch('');
    setState(undefined);
  };
  return (
    <div className={`${pageHeadStyles.page} ${styles.heartbeats}`}>
      <PageHead
        title={pageTexts.heartbeats}
        count={expected}
        countLabel={texts.expected(
          counts && counts.missing > 0 && texts.missingCount(<strong>{counts.missing}</strong>),
          counts && counts.late > 0 && texts.lateCount(<strong>{counts.late}</strong>),
        )}
      >
        {expected !== undefined && expected > 0 && (
          <>
            <InputGroup
              className={styles.search}
              type="search"
              inputRef={noteSearchField}
              leftElement={<SearchIcon className={sourcesStyles.fieldIcon} />}
              placeholder={texts.search}
              aria-label={texts.search}
              aria-keyshortcuts="/"
              value={search}
              onValueChange={setSearch}
            />
            <ChoiceFilter name={texts.state} all={texts.all} choices={STATES} chosen={state} onChoose={setState} />
          </>
        )}
        {isAdmin && <NewButton hasRule={expected !== undefined && expected > 0} />}
      </PageHead>
      <div className={panelStyles.pageBody}>
        {first ? (
          <>
            <DowntimeLines downtimes={first.downtimes} isAdmin={isAdmin} />
            {expected === 0 ? (
              <EmptyState icon={<PulseIcon size={40} />} title={texts.nothingYet} text={texts.nothingYetHint} />
            ) : first.total === 0 ? (
              <EmptyState
                icon={<SearchIcon size={40} />}
                title={typed === '' ? texts.noneInState(STATE_LABELS[state ?? 'ok']) : texts.noneMatches(typed)}
                text={texts.noneHint}
                action={<Button text={pageTexts.clearSearch} onClick={clear} />}
              />
            ) : (
              <HeartbeatTable
                key={`${typed} ${state ?? ''}`}
                pages={query.data?.pages ?? []}
                isCurrent={isCurrentAnswer(query)}
                actions={isAdmin ? actions : undefined}
              />
            )}
            {query.hasNextPage && (
              <span ref={leaveFocusToRows}>
                <Button
                  className={styles.more}
                  text={
                    query.isFetchingNextPage
                      ? pageTexts.loading
                      : texts.showMore(Math.min(PAGE, first.total - shownOf(query.data?.pages)))
                  }
                  aria-disabled={query.isFetchingNextPage || undefined}
                  onClick={() => !query.isFetchingNextPage && void query.fetchNextPage()}
                />
              </span>
            )}
          </>
        ) : query.error ? (
          <LoadError what={pageTexts.heartbeats} error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <RowsSkeleton label={texts.heartbeatsInText} isSheet />
        )}
      </div>
      {dialogs}
    </div>
  );
}

const shownOf = (pages: readonly HeartbeatList[] = []): number =>
  pages.reduce((sum, { heartbeats }) => sum + heartbeats.length, 0);

/** Makes another one. */
function NewButton({ hasRule }: { hasRule: boolean }) {
  const navigate = useNavigate();
  const add = (): void => void navigate(`${PATHS.heartbeats}/new`);
  useScreenKey('add', add);
  return (
    <>
      {hasRule && <span className={filterButtonStyles.rule} />}
      <Button
        className={pageHeadStyles.action}
        intent="primary"
        icon={<PlusIcon />}
        text={texts.newHeartbeat}
        aria-keyshortcuts={SCREEN_KEYS.add.key.toUpperCase()}
        onClick={add}
      />
    </>
  );
}

const STATES = heartbeatStateSchema.options.map((value) => ({ value, label: STATE_LABELS[value] }));

interface HeartbeatTableProps {
  pages: readonly HeartbeatList[];
  /** Whether they are of this search, and as they are now. */
  isCurrent: boolean;
  /** What can be done with a row, where anything can. */
  actions: HeartbeatActions | undefined;
}

/** The heartbeats as rows. A row keeps the place that it had when it was first shown, so that none moves under the pointer. */
function HeartbeatTable({ pages, isCurrent, actions }: HeartbeatTableProps) {
  const [order, setOrder] = useState<readonly string[]>([]);
  const byId = new Map<string, Heartbeat>(
    pages.flatMap(({ heartbeats }) => heartbeats.map((one): [string, Heartbeat] => [one.id, one])),
  );
  const unseen = [...byId.keys()].filter((id) => !order.includes(id));
  // Adjusted while rendering, as React advises for what follows from props: nothing is drawn in between.
  if (isCurrent && unseen.length > 0) setOrder([...order, ...unseen]);
  const rows = [...order, ...unseen].flatMap((id) => byId.get(id) ?? []);
  return (
    <HoverTip className={styles.sheets}>
      <table className={`${tableStyles.table} ${panelStyles.rows_sheet}`} aria-label={pageTexts.heartbeats}>
        <thead>
          <tr className={`${styles.row} ${tableStyles.head}`}>
            <th scope="col">{texts.heartbeat}</th>
            <th scope="col">{texts.state}</th>
            <th scope="col" className={styles.expected}>
              {texts.expectedColumn}
            </th>
            <th scope="col" className={styles.beatsHead}>
              {texts.lastBeats}
              <span className={styles.taller}>{texts.tallerIsLonger}</span>
            </th>
            <th scope="col" className={styles.last}>
              {texts.lastBeat}
            </th>
            <th scope="col">
              <span className="ad-hidden">{texts.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((heartbeat) => (
            <HeartbeatRow key={heartbeat.id} heartbeat={heartbeat} actions={actions} />
          ))}
        </tbody>
      </table>
      <BeatLegend />
    </HoverTip>
  );
}
