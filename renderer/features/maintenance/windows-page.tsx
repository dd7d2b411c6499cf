import { Button } from '@blueprintjs/core';
import { PlusIcon, WrenchIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router-dom';
import type { MaintenanceWindow, Occurrence } from '#backend/contract/maintenance.ts';
import { SCREEN_KEYS, useScreenKey } from '#renderer/alerts/keys/screen-keys.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { MANAGER_ROLES } from '#renderer/lib/paths.ts';
import { formatMoment } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { isOn, occurrencesQuery, pathOfWindow, windowsQuery } from '#renderer/maintenance/maintenance-data.ts';
import { useSession } from '#renderer/session/session.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { Panel, RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { dayText, scheduleSentence, spanText } from './schedule-sentence.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import * as texts from './texts.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './maintenance.module.css';

/** The windows: those that are on, those to come, and what has passed. */
export function WindowsPage() {
  const { role } = useSession();
  const navigate = useNavigate();
  const { data: windows, error, refetch } = useQuery(windowsQuery);
  const { data: occurrences } = useQuery(occurrencesQuery());
  const mayPlan = MANAGER_ROLES.includes(role);
  const add = (): void => void navigate(pathOfWindow('new'));
  useScreenKey('add', mayPlan ? add : undefined);
  const past = (occurrences ?? []).filter(({ state }) => state === 'ended');
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title={texts.maintenance} count={windows?.length} countLabel={texts.windows(windows?.length)}>
        {mayPlan && (
          <Button
            className={pageHeadStyles.action}
            intent="primary"
            icon={<PlusIcon />}
            text={texts.newWindow}
            aria-keyshortcuts={SCREEN_KEYS.add.key.toUpperCase()}
            onClick={add}
          />
        )}
      </PageHead>
      <div className={panelStyles.pageBody}>
        {windows ? (
          windows.length === 0 && past.length === 0 ? (
            <EmptyState icon={<WrenchIcon size={40} />} title={texts.noWindowsYet} text={texts.noWindowsHint} />
          ) : (
            <Lists windows={windows} past={past} />
          )
        ) : error ? (
          <LoadError what={texts.maintenance} error={error} onRetry={() => void refetch()} />
        ) : (
          <RowsSkeleton label={texts.windowsInText} isSheet />
        )}
      </div>
    </div>
  );
}

function Lists({ windows, past }: { windows: readonly MaintenanceWindow[]; past: readonly Occurrence[] }) {
  const others = windows.filter((window) => !isOn(window));
  return (
    <>
      <WindowList title={texts.on} windows={windows.filter(isOn)} />
      <WindowList title={texts.planned} windows={others.filter(({ current }) => current !== undefined)} />
      <WindowList title={texts.isOver} windows={others.filter(({ current }) => current === undefined)} />
      {past.length > 0 && (
        <Panel title={texts.past}>
          <ul className={panelStyles.rows}>
            {past.map((one) => (
              <li key={one.id} className={styles.windowRow}>
                <div className={styles.names}>
                  <span className={styles.name} dir="auto">
                    {inertLine(one.name)}
                  </span>
                  <span className={styles.small}>{one.search === '' ? texts.allAlerts : inertLine(one.search)}</span>
                </div>
                <span className={styles.small}>
                  {texts.pastOf(
                    `${dayText(Date.parse(one.startsAt), timeZoneHere())}, ${spanText(Date.parse(one.startsAt), Date.parse(one.endsAt), timeZoneHere())}`,
                    one.kept,
                    one.stillFiring,
                  )}
                  {one.endedBy !== undefined && `. ${texts.endedEarly(inertLine(one.endedBy))}`}
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

interface WindowListProps {
  title: string;
  windows: readonly MaintenanceWindow[];
}

function WindowList({ title, windows }: WindowListProps) {
  if (windows.length === 0) return null;
  return (
    <Panel title={title}>
      <ul className={panelStyles.rows}>
        {windows.map((window) => (
          <li key={window.id} className={styles.windowRow}>
            <div className={styles.names}>
              <Link className={styles.name} dir="auto" to={pathOfWindow(window.id)}>
                {inertLine(window.name)}
              </Link>
              <span className={styles.small}>{window.search === '' ? texts.allAlerts : inertLine(window.search)}</span>
            </div>
            <div className={styles.names}>
              <span>{scheduleSentence(window)}</span>
              <span className={styles.small}>
                <Standing window={window} />
              </span>
              {window.current && window.fault !== undefined && <span className={styles.missing}>{window.fault}</span>}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Standing({ window }: { window: MaintenanceWindow }) {
  const { current } = window;
  const moment = useNow((now) => {
    const at = isOn(window) ? current?.endsAt : current?.startsAt;
    return at === undefined ? '' : formatMoment(new Date(at), now);
  });
  if (!current) return texts.isOver;
  return isOn(window) ? texts.isOn(moment, current.kept) : texts.isNext(moment);
}
