import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { Calendar } from '#backend/contract/ladder.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatCardTime } from '#renderer/lib/times.ts';
import { useDeletion } from './delete-dialog.tsx';
import { CALENDARS } from './entries.tsx';
import { calendarsQuery, usePeopleCommands } from './ladder-data.ts';
import { ListPage } from './list-page.tsx';
import { RowTools } from './row-tools.tsx';
import { useRowActions } from './use-row-actions.tsx';
import * as texts from './people-texts.ts';
import * as outgoingTexts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';
import * as ladderStyles from './ladder.module.css';

/** Calendars of who is on, each with who that is now. */
export function CalendarsPage() {
  const calendars = useQuery(calendarsQuery);
  return (
    <ListPage
      entry={CALENDARS}
      queries={[calendars]}
      rows={calendars.data}
      countLabel={texts.calendarNoun(calendars.data?.length)}
      wordsOf={({ name, shifts }) => [name, ...shifts.slice(0, 1).map(({ people }) => namesOf(people))]}
    >
      {(rows) => <CalendarList calendars={rows} />}
    </ListPage>
  );
}

function CalendarList({ calendars }: { calendars: readonly Calendar[] }) {
  const commands = usePeopleCommands();
  const { edit, remove } = useRowActions(CALENDARS);
  const deletion = useDeletion<Calendar>({
    entry: CALENDARS,
    hintOf: () => texts.deleteCalendarHint,
    onDelete: commands.deleteCalendar,
  });
  return (
    <>
      <ul className={`${panelStyles.rows} ${panelStyles.rows_sheet}`} aria-label={outgoingTexts.calendars}>
        {calendars.map((calendar) => (
          <li key={calendar.id} className={ladderStyles.onRow}>
            <Link className={`${styles.name} ${styles.rowLink}`} dir="auto" to={CALENDARS.pathOf(calendar.id)}>
              {inertLine(calendar.name)}
            </Link>
            <OnNow calendar={calendar} />
            <span className={styles.small}>{texts.usedBy(calendar.usedBy.map((rule) => inertLine(rule.name)))}</span>
            {calendar.failure === undefined ? (
              <span className={styles.small}>{calendar.source === 'file' ? texts.file : texts.read}</span>
            ) : (
              <span className={ladderStyles.fault}>{texts.notRead}</span>
            )}
            <div className={styles.tools}>
              <RowTools
                name={inertLine(calendar.name)}
                actions={[edit(calendar.id)]}
                deletion={remove(() => deletion.ask(calendar))}
              />
            </div>
          </li>
        ))}
      </ul>
      {deletion.dialog}
    </>
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
