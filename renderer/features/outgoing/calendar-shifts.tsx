import { Button, HTMLSelect } from '@blueprintjs/core';
import { CrossIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { isSameDay } from 'date-fns';
import { useRef, useState } from 'react';
import type { Calendar, Shift } from '#backend/contract/ladder.ts';
import { onTheWall } from '#renderer/lib/clock.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatCardTime, writeTime } from '#renderer/lib/times.ts';
import { typedMoment } from '#renderer/lib/times-in-zone.ts';
import { membersQuery, usePeopleCommands } from './ladder-data.ts';
import { keepFocus } from '#renderer/ui/keep-focus.ts';
import { useKeepPage } from '#renderer/ui/leave-guard.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import * as texts from './people-texts.ts';
import * as outgoingTexts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';
import * as ladderStyles from './ladder.module.css';

const HOUR_MS = 3_600_000;

/** Hours of an override that are offered. */
const HOURS = [1, 2, 4, 8, 12, 24, 48, 168];

const namesOf = ({ people }: Shift): string =>
  people.length === 0 ? outgoingTexts.nobody : people.map(({ displayName }) => inertLine(displayName)).join(', ');

/** "Nov 30, 8:00 PM to 10:00 PM", with the day of the end where it is another one. */
function timesOf(shift: Pick<Shift, 'from' | 'to'>, isOverride = false): string {
  const [from, to] = [new Date(shift.from), new Date(shift.to)];
  const end = isSameDay(onTheWall(from), onTheWall(to)) ? writeTime(to, 'h:mm a') : formatCardTime(to);
  return texts.shiftTimes(formatCardTime(from), end, isOverride);
}

/** What was typed as a moment, by the clock that the list beside it shows; now where nothing was. */
const momentOf = (typed: string): number => (typed === '' ? Date.now() : typedMoment(typed, new Date()).getTime());

/** Who is on in the next 48 hours, as bars and as a list, and who is on instead. */
export function CalendarShifts({ calendar }: { calendar: Calendar }) {
  const gaps = calendar.shifts.filter(({ people }) => people.length === 0);
  return (
    <section ref={keepFocus} className={panelStyles.panel} aria-labelledby="ad-calendar-shifts">
      <h2 id="ad-calendar-shifts" className={styles.sheetTitle}>
        {texts.next48Hours}
      </h2>
      <div className={ladderStyles.bars} aria-hidden>
        {calendar.shifts.map((shift) => (
          <div
            key={shift.from}
            className={`${ladderStyles.bar} ${shift.people.length === 0 ? ladderStyles.bar_nobody : ''}`}
            style={{ flexGrow: Math.max(1, (Date.parse(shift.to) - Date.parse(shift.from)) / HOUR_MS), flexBasis: 0 }}
          >
            {namesOf(shift)}
          </div>
        ))}
      </div>
      <ul className={panelStyles.rows} aria-label={texts.whoIsOn}>
        {calendar.shifts.map((shift) => (
          <li key={shift.from} className={styles.matchRow}>
            <div className={styles.grow}>
              <bdi className={shift.people.length === 0 ? ladderStyles.fault : ''}>{namesOf(shift)}</bdi>
              <span className={styles.small}>{timesOf(shift, shift.isOverride)}</span>
            </div>
          </li>
        ))}
      </ul>
      {gaps.length > 0 && calendar.usedBy.length > 0 && (
        <p className={styles.emptyMatches}>
          <span className={ladderStyles.fault}>{texts.nobodyOnHint}</span>
        </p>
      )}
      <Overrides calendar={calendar} />
    </section>
  );
}

function Overrides({ calendar }: { calendar: Calendar }) {
  const { data: members = [] } = useQuery(membersQuery);
  const [memberId, setMemberId] = useState('');
  const [from, setFrom] = useState('');
  const [hours, setHours] = useState(8);
  // What was added stays in the fields for the next one.
  const [isTouched, setTouched] = useState(false);
  useKeepPage(isTouched);
  const [failure, setFailure] = useState<string>();
  const commands = usePeopleCommands();
  const [isPending, setPending] = useState(false);
  /** Known at once: a second click can be of a drawing in which nothing runs. */
  const isRunning = useRef(false);
  const store = async (overrides: Calendar['overrides']): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setPending(true);
    setFailure(undefined);
    try {
      const stored = overrides.map(({ memberId: id, from: begin, to }) => ({ memberId: id, from: begin, to }));
      await commands.changeCalendar(calendar, { overrides: stored });
      return true;
    } catch (error) {
      setFailure(messageOf(error));
      return false;
    } finally {
      isRunning.current = false;
      setPending(false);
    }
  };
  const add = async (): Promise<void> => {
    const begin = momentOf(from);
    if (Number.isNaN(begin)) return setFailure(pageTexts.enterDateAndTime);
    const override = {
      memberId,
      from: new Date(begin).toISOString(),
      to: new Date(begin + hours * HOUR_MS).toISOString(),
      displayName: '',
    };
    const isStored = await store([...calendar.overrides.filter(({ to }) => Date.parse(to) > Date.now()), override]);
    if (!isStored) return;
    setMemberId('');
    setTouched(false);
  };
  return (
    <>
      <h2 className={styles.sheetTitle}>{texts.onInstead}</h2>
      <output className={styles.failure} hidden={failure === undefined}>
        {failure}
      </output>
      <ul className={panelStyles.rows} aria-label={texts.onInstead}>
        {calendar.overrides.map((override) => (
          <li key={`${override.memberId} ${override.from}`} className={styles.matchRow}>
            <div className={styles.grow}>
              <bdi>{inertLine(override.displayName)}</bdi>
              <span className={styles.small}>{timesOf(override)}</span>
            </div>
            <Button
              variant="minimal"
              icon={<CrossIcon />}
              aria-label={texts.removeOverride(inertLine(override.displayName))}
              aria-disabled={isPending || undefined}
              onClick={() => void store(calendar.overrides.filter((one) => one !== override))}
            />
          </li>
        ))}
      </ul>
      <div className={ladderStyles.overrideForm} onChange={() => setTouched(true)}>
        <label>
          {texts.who}
          <HTMLSelect value={memberId} onChange={({ currentTarget }) => setMemberId(currentTarget.value)}>
            <option value="">{texts.choose}</option>
            {members.map(({ id, displayName }) => (
              <option key={id} value={id}>
                {inertLine(displayName)}
              </option>
            ))}
          </HTMLSelect>
        </label>
        <label>
          {texts.from}
          <input
            className="bp6-input"
            type="datetime-local"
            value={from}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          />
        </label>
        <label htmlFor="ad-override-hours">
          {texts.howLong}
          <HTMLSelect
            id="ad-override-hours"
            value={hours}
            options={HOURS.map((value) => ({
              value,
              label: value < 48 ? texts.hours(value) : pageTexts.days(value / 24),
            }))}
            onChange={({ currentTarget }) => setHours(Number(currentTarget.value))}
          />
        </label>
        <Button
          text={texts.add}
          disabled={memberId === ''}
          aria-disabled={isPending || undefined}
          onClick={() => void add()}
        />
      </div>
      <p className={styles.sheetHint}>{texts.overrideHint}</p>
    </>
  );
}
