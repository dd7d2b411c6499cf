import { Button, SegmentedControl } from '@blueprintjs/core';
import { CancelledError, useQuery, useQueryClient } from '@tanstack/react-query';
import classNames from 'classnames';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { countText } from '#backend/contract/count-text.ts';
import { pathOfAlert } from '#backend/contract/alert-news.ts';
import type { RuleDryRun, RuleDryRunQuery, Ruled } from '#backend/contract/rule.ts';
import { alertTitle } from '#renderer/alerts/data/alert-labels.ts';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatDate } from '#renderer/lib/times.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { dryRunQuery } from './incoming-rules-data.ts';
import { PREVIEW_PAUSE_MS } from './outgoing-data.ts';
import * as texts from './incoming-rules-texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as outgoingStyles from './outgoing.module.css';
import * as styles from './incoming-rules.module.css';

type Kind = keyof typeof texts.kinds;
const KINDS: readonly Kind[] = ['all', 'severity', 'names', 'quiet', 'people'];

/** A dry run that takes longer can be canceled, in milliseconds. */
const CANCEL_FROM_MS = 1_000;

/** The dry run of what is written; undefined where it cannot be made yet. */
export function useDryRun(query: RuleDryRunQuery | undefined) {
  const client = useQueryClient();
  const written = JSON.stringify(query ?? null);
  const settled = useSettled(written, PREVIEW_PAUSE_MS);
  const asked = JSON.parse(settled) as RuleDryRunQuery | null;
  /** What is not tried, because its dry run was canceled. */
  const [canceled, setCanceled] = useState<string>();
  const isCanceled = canceled === settled;
  if (canceled !== undefined && !isCanceled) setCanceled(undefined);
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...dryRunQuery(asked ?? {}),
    enabled: asked !== null && !isCanceled,
  });
  const found = asked === null ? undefined : data;
  const isOld = settled !== written || isFetching || isPlaceholderData || isCanceled;
  const isRunning = query !== undefined && (settled !== written || isFetching);
  return {
    data: found,
    error,
    /** Something is written that can be tried, and has no dry run of its own yet. */
    isRunning,
    isCanceled: isCanceled && !isRunning,
    cancel(): void {
      setCanceled(settled);
      void client.cancelQueries({ queryKey: dryRunQuery(asked ?? {}).queryKey });
    },
    runAgain: () => setCanceled(undefined),
    /** It is of what was written before. */
    isOld,
    /** It is of what is written now. */
    isCurrent: !isOld && found !== undefined && error === null,
    /**
     * The dry run of what is written now, waited for; undefined where it fails.
     *
     * @throws {CancelledError} when it is canceled
     */
    async findNow(): Promise<RuleDryRun | undefined> {
      if (!query) return undefined;
      setCanceled(undefined);
      try {
        return await client.fetchQuery(dryRunQuery(query));
      } catch (failed) {
        if (failed instanceof CancelledError) throw failed;
        return undefined;
      }
    },
  };
}

/** What a change of a rule would have made of the newest alerts. */
export function DryRun({ run }: { run: ReturnType<typeof useDryRun> }) {
  const { data, error, isOld, isRunning, isCanceled } = run;
  const isLong = useIsLong(isRunning);
  const state = isRunning ? texts.dryRunRuns : isCanceled ? texts.dryRunCanceled : texts.writeFirst;
  return (
    <section className={panelStyles.panel} aria-labelledby="ad-rule-dry-run">
      <h2 id="ad-rule-dry-run" className={outgoingStyles.sheetTitle}>
        {texts.whatWouldChange}
      </h2>
      <div className={classNames(data !== undefined && isOld && styles.old)}>
        <div aria-live="polite">
          {data ? (
            <Sums found={data} />
          ) : (
            <p className={styles.lead}>{error ? `${texts.dryRunFailed}: ${error.message}` : state}</p>
          )}
        </div>
        {data && <Changes found={data} />}
      </div>
      {(isLong || isCanceled) && (
        <div className={styles.running}>
          {data && <span>{state}</span>}
          {isLong ? (
            <Button size="small" text={pageTexts.cancel} onClick={run.cancel} />
          ) : (
            <Button size="small" text={texts.runAgain} onClick={run.runAgain} />
          )}
        </div>
      )}
    </section>
  );
}

/** Whether something has run for so long that somebody may want to end it. */
function useIsLong(isRunning: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setTimeout(() => setLong(true), CANCEL_FROM_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isRunning]);
  return isLong && isRunning;
}

/** Of how many alerts it is, and its figures. */
function Sums({ found: { judged, total, changed, fewerNotifications, criticalSilenced } }: { found: RuleDryRun }) {
  return (
    <>
      <p className={styles.lead}>{texts.ofTheLast(countText(judged), countText(total))}</p>
      <dl className={outgoingStyles.figures}>
        <Figure label={texts.alertsChange(changed)}>{countText(changed)}</Figure>
        <Figure label={fewerNotifications < 0 ? texts.moreNotifications : texts.fewerNotifications}>
          {countText(Math.abs(fewerNotifications))}
        </Figure>
        <Figure label={texts.criticalSilenced} isDangerous={criticalSilenced > 0}>
          {countText(criticalSilenced)}
        </Figure>
      </dl>
    </>
  );
}

/** The alerts that would change, of one kind of change or of all. */
function Changes({ found: { changed, since, tookMs, examples, byKind } }: { found: RuleDryRun }) {
  const [chosen, setChosen] = useState<Kind>('all');
  // Of another dry run than the one in which it was chosen, there may be none.
  const kind = chosen === 'all' || byKind[chosen] > 0 ? chosen : 'all';
  const shown = examples.filter(({ before, after }) => kind === 'all' || DIFFERS[kind](before, after));
  const options = KINDS.flatMap((one) => {
    const count = one === 'all' ? changed : byKind[one];
    return one === 'all' || count > 0 ? [{ value: one, label: texts.ofKind(texts.kinds[one], count) }] : [];
  });
  return (
    <>
      <p className={styles.since}>
        {texts.runIn(since === undefined ? undefined : formatDate(new Date(since)), (tookMs / 1000).toFixed(1))}
      </p>
      {changed === 0 ? (
        <p className={styles.lead}>{texts.nothingWouldChange}</p>
      ) : (
        <>
          <div className={styles.kinds}>
            <SegmentedControl
              aria-label={texts.kindOfChange}
              size="small"
              options={options}
              value={kind}
              onValueChange={(value) => setChosen(KINDS.find((one) => one === value) ?? 'all')}
            />
          </div>
          <ul className={panelStyles.rows}>
            {shown.map(({ id, before, after }) => (
              <li key={id} className={styles.example}>
                <Link className={outgoingStyles.name} dir="auto" to={pathOfAlert(id)}>
                  {alertTitle(before)}
                </Link>
                <bdi className={styles.customer}>{inertLine(before.customer ?? '')}</bdi>
                <Difference before={before} after={after} />
              </li>
            ))}
          </ul>
          {shown.length === 0 && <p className={styles.since}>{texts.noneAmongFirst(examples.length)}</p>}
          {shown.length > 0 && examples.length < changed && (
            <p className={styles.since}>{texts.shownOnly(examples.length)}</p>
          )}
        </>
      )}
    </>
  );
}

const DIFFERS: Record<Exclude<Kind, 'all'>, (before: Ruled, after: Ruled) => boolean> = {
  severity: (before, after) => before.severity !== after.severity,
  names: (before, after) =>
    before.customer !== after.customer ||
    before.alertType !== after.alertType ||
    before.title !== after.title ||
    before.label !== after.label,
  quiet: (before, after) => before.notify !== after.notify || before.snoozeMinutes !== after.snoozeMinutes,
  people: (before, after) => before.assigneeName !== after.assigneeName,
};

function Figure({ label, isDangerous = false, children }: { label: string; isDangerous?: boolean; children: string }) {
  return (
    <div className={classNames(isDangerous && styles.silenced)}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Difference({ before, after }: { before: Ruled; after: Ruled }) {
  const names = [
    { field: 'title', was: before.title, would: after.title },
    { field: 'customer', was: before.customer, would: after.customer },
    { field: 'alertType', was: before.alertType, would: after.alertType },
  ].filter(({ was, would }) => was !== would);
  return (
    <div className={styles.difference}>
      {before.severity !== after.severity && (
        <>
          <Severity of={before} />
          <span aria-label={texts.becomes}>→</span>
          <b>
            <Severity of={after} />
          </b>
        </>
      )}
      {names.map(({ field, would }) => (
        <b key={field}>{inertLine(would ?? '')}</b>
      ))}
      {before.label !== after.label && (
        <>
          <span>{labelText(before)}</span>
          <span aria-label={texts.becomes}>→</span>
          <b>{labelText(after)}</b>
        </>
      )}
      {before.notify !== after.notify && <span>{texts.outcomes[after.notify]}</span>}
      {before.snoozeMinutes !== after.snoozeMinutes && (
        <span>
          {after.snoozeMinutes === undefined ? texts.notSnoozed : texts.snoozed(texts.snoozeText(after.snoozeMinutes))}
        </span>
      )}
      {before.assigneeName !== after.assigneeName && (
        <span>{after.assigneeName == null ? texts.notAssigned : texts.assigned(inertLine(after.assigneeName))}</span>
      )}
    </div>
  );
}

const labelText = ({ label }: Ruled): string => (label === null ? texts.noLabel : inertLine(label));

const Severity = ({ of: { severity } }: { of: Ruled }): ReactNode => (
  <span>
    <SeverityMark severity={severity} state="firing" /> {SEVERITY_LABELS[severity]}
  </span>
);
