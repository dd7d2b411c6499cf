import { Button } from '@blueprintjs/core';
import { CalendarIcon, PlusIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router-dom';
import type { Calendar } from '#backend/contract/ladder.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ADMIN_PANEL } from '#renderer/lib/paths.ts';
import { formatCardTime } from '#renderer/lib/times.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { PageTabs } from '#renderer/ui/page-head/page-tabs.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { calendarsQuery } from './ladder-data.ts';
import { OUTGOING_PAGES, pathOfCalendar } from './outgoing-labels.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './people-texts.ts';
import * as outgoingTexts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';
import * as ladderStyles from './ladder.module.css';

/** Calendars of who is on, each with who that is now. */
export function CalendarsPage() {
  const { data: calendars, error, refetch } = useQuery(calendarsQuery);
  const navigate = useNavigate();
  return (
    <div className={`${pageHeadStyles.page} ${styles.outgoing}`}>
      <PageHead
        title={pageTexts.outgoing}
        parent={ADMIN_PANEL}
        count={calendars?.length}
        countLabel={texts.calendarNoun(calendars?.length)}
      >
        <Button
          className={pageHeadStyles.action}
          intent="primary"
          icon={<PlusIcon />}
          text={texts.newCalendar}
          onClick={() => void navigate(pathOfCalendar('new'))}
        />
      </PageHead>
      <PageTabs isFirst label={pageTexts.outgoing} tabs={OUTGOING_PAGES} />
      <div className={panelStyles.pageBody}>
        {calendars ? (
          calendars.length > 0 ? (
            <ul className={`${panelStyles.rows} ${panelStyles.rows_sheet}`} aria-label={outgoingTexts.calendars}>
              {calendars.map((calendar) => (
                <li key={calendar.id} className={ladderStyles.onRow}>
                  <Link className={`${styles.name} ${styles.rowLink}`} to={pathOfCalendar(calendar.id)}>
                    <bdi>{inertLine(calendar.name)}</bdi>
                  </Link>
                  <OnNow calendar={calendar} />
                  <span className={styles.small}>
                    {texts.usedBy(calendar.usedBy.map((rule) => inertLine(rule.name)))}
                  </span>
                  {calendar.failure === undefined ? (
                    <span className={styles.small}>{calendar.source === 'file' ? texts.file : texts.read}</span>
                  ) : (
                    <span className={ladderStyles.fault}>{texts.notRead}</span>
                  )}
                </li>
              ))}
            </ul>
          ) : (
            <EmptyState icon={<CalendarIcon size={40} />} title={texts.noCalendarsYet} text={texts.noCalendarsHint} />
          )
        ) : error ? (
          <LoadError what={outgoingTexts.calendars} error={error} onRetry={() => void refetch()} />
        ) : (
          <RowsSkeleton label={texts.calendarsInText} isSheet />
        )}
      </div>
    </div>
  );
}

const namesOf = (people: Calendar['shifts'][number]['people']): string =>
  people.map(({ displayName }) => inertLine(displayName)).join(', ');

/** Who is on now, and until when; where nobody is, who is next. */
function OnNow({ calendar: { shifts } }: { calendar: Calendar }) {
  const [now] = shifts;
  const next = shifts.find(({ people }) => people.length > 0);
  if (now && now.people.length > 0) {
    const isShort = shifts.length > 1;
    return (
      <span className={styles.places}>
        <strong>{namesOf(now.people)}</strong>{' '}
        {isShort && <span className={styles.small}>{texts.until(formatCardTime(new Date(now.to)))}</span>}
      </span>
    );
  }
  return (
    <span className={styles.places}>
      <span className={ladderStyles.fault}>{outgoingTexts.nobody}</span>{' '}
      {next && (
        <span className={styles.small}>{texts.onFrom(namesOf(next.people), formatCardTime(new Date(next.from)))}</span>
      )}
    </span>
  );
}
