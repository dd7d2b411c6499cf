import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { ExportIcon, HistoryIcon, SearchIcon } from '@blueprintjs/icons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import { AUDIT_KINDS, type AuditEntry } from '#backend/contract/audit-entry.ts';
import { ACTION_WORDS } from '#backend/contract/audit-words.ts';
import { FileExportDialog } from '#renderer/alerts/export/file-export-dialog.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ADMIN_PANEL } from '#renderer/lib/paths.ts';
import { formatExactTime, formatHistoryTime } from '#renderer/lib/times.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { leaveFocusToRows } from '#renderer/ui/keep-focus.ts';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { type AuditFilter, PERIODS, auditPath, auditQuery, exportAudit } from './audit.ts';
import { KIND_WORDS } from './audit-labels.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './audit-page.module.css';

const EVERYTHING: AuditFilter = { kind: '', q: '', days: '30' };

/** Audit: who did what, from where, and who was kept out. */
export function AuditPage() {
  const [filter, setFilter] = useState(EVERYTHING);
  const exporting = useDialog();
  const change = (part: Partial<AuditFilter>): void => setFilter((before) => ({ ...before, ...part }));
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title={texts.audit} parent={ADMIN_PANEL}>
        <Button
          className={pageHeadStyles.action}
          icon={<ExportIcon />}
          text={pageTexts.exportAction}
          aria-haspopup="dialog"
          onClick={() => exporting.open(true)}
        />
      </PageHead>
      <div className={panelStyles.pageBody}>
        <search className={styles.filter}>
          <InputGroup
            type="search"
            leftElement={<SearchIcon className={styles.searchIcon} />}
            placeholder={texts.searchActionsPeopleSubjects}
            aria-label={texts.searchAuditTrail}
            maxLength={200}
            value={filter.q}
            onValueChange={(q) => change({ q })}
          />
          <HTMLSelect
            aria-label={texts.kind}
            value={filter.kind}
            options={[
              { value: '', label: texts.everything },
              ...AUDIT_KINDS.map((value) => ({ value, label: KIND_WORDS[value] })),
            ]}
            onChange={({ target }) => change({ kind: AUDIT_KINDS.find((kind) => kind === target.value) ?? '' })}
          />
          <HTMLSelect
            aria-label={texts.time}
            value={filter.days}
            options={PERIODS}
            onChange={({ target }) => change({ days: target.value })}
          />
        </search>
        <Entries filter={filter} onReset={() => setFilter({ ...EVERYTHING, days: '' })} />
      </div>
      {exporting.shown && (
        <FileExportDialog
          key={exporting.shown.key}
          title={texts.audit}
          subtitle={texts.entriesShownAndAllOlder}
          jsonLabel={texts.jsonLinesAsReturnedBy}
          jsonExtension="jsonl"
          counted="entries"
          total={0}
          done={texts.auditExported}
          sourceOf={() => ({ what: 'audit', filter: auditPath(filter, new Date()) })}
          run={(options) => exportAudit(filter, options)}
          presence={exporting.shown.presence}
        />
      )}
    </div>
  );
}

function Entries({ filter, onReset }: { filter: AuditFilter; onReset: () => void }) {
  const q = useSettled(filter.q);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useInfiniteQuery(auditQuery({ ...filter, q }));
  if (!data) {
    return error ? (
      <LoadError what={texts.auditTrail} error={error} onRetry={() => void refetch()} />
    ) : (
      <RowsSkeleton label={texts.auditTrailInText} isSheet />
    );
  }
  const entries = data.pages.flatMap(({ rows }) => rows);
  if (entries.length === 0) {
    return (
      <EmptyState
        icon={<HistoryIcon size={40} />}
        title={texts.noEntries}
        text={texts.nothingOfThisKindHappened}
        action={<Button text={texts.showEverything} onClick={onReset} />}
      />
    );
  }
  return (
    <HoverTip>
      <ul className={`${panelStyles.rows} ${panelStyles.rows_sheet}`} aria-label={texts.auditTrailName}>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </ul>
      {error && isFetchNextPageError && (
        <LoadError what={texts.olderEntries} error={error} onRetry={() => void fetchNextPage()} />
      )}
      {hasNextPage && !isFetchNextPageError && (
        <span ref={leaveFocusToRows}>
          <Button
            className={styles.more}
            text={isFetchingNextPage ? pageTexts.loading : texts.showMore}
            aria-disabled={isFetchingNextPage || undefined}
            onClick={() => !isFetchingNextPage && void fetchNextPage()}
          />
        </span>
      )}
    </HoverTip>
  );
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  const { action, actorName, token, subject, detail, ip, times, createdAt } = entry;
  const time = new Date(createdAt);
  return (
    <li className={styles.entry} tabIndex={-1}>
      <span className={styles.action}>
        {ACTION_WORDS[action]}
        {times > 1 && ` ×${countText(times)}`}
      </span>
      <span className={styles.subject}>
        {subject !== null && <bdi>{inertLine(subject)}</bdi>}
        {detail !== undefined && (
          <span className={styles.detail}>
            <bdi>{inertLine(detail)}</bdi>
          </span>
        )}
      </span>
      <span className={styles.by}>
        {texts.byPerson(<bdi>{inertLine(actorName)}</bdi>)}
        {token && <> {texts.byToken(<bdi>{inertLine(token.name)}</bdi>)}</>}
        {ip !== null && texts.fromIp(ip)}
      </span>
      <time className={styles.time} dateTime={createdAt} data-tip={formatExactTime(time)} data-tip-always>
        {formatHistoryTime(time)}
      </time>
    </li>
  );
}
