import { Button, HTMLSelect, InputGroup, SegmentedControl } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { COUNT_MS, CountedSearch, useLastAnswer, weekQuery } from '#renderer/alerts/search/counted-search.tsx';
import { useSettled } from '#renderer/lib/use-settled.ts';
import type { ReactNode } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import { type Preview, openQuery } from './preview-data.ts';
import { shownAt } from '#renderer/lib/times-in-zone.ts';
import { momentText, scheduleSentence } from './schedule-sentence.ts';
import {
  DAYS,
  LENGTHS,
  REPEATS,
  type Repeats,
  type WindowDraft,
  daysOf,
  minutesOf,
  startOf,
  toggleDay,
  windowOf,
} from './window-draft.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as styles from './maintenance.module.css';

/** The sentence is announced so long after a change, in milliseconds. */
const ANNOUNCE_MS = 500;

const MINUTE_MS = 60_000;

interface FormProps {
  draft: WindowDraft;
  preview: Preview;
  /** Whoever may not change windows reads one without asking the server what it finds. */
  mayChange: boolean;
  onChange: (some: Partial<WindowDraft>) => void;
}

/** The fields of a window. */
export function WindowForm(props: FormProps) {
  const { draft, onChange } = props;
  return (
    <>
      <div className={styles.group}>
        <Setting label={pageTexts.name} id="ad-window-name">
          <InputGroup
            id="ad-window-name"
            value={draft.name}
            maxLength={100}
            onValueChange={(name) => onChange({ name })}
          />
          <p className={styles.hint}>{texts.nameHint}</p>
        </Setting>
        <WhichAlerts {...props} />
      </div>
      <div className={styles.group}>
        <Starts {...props} />
        <Lasts {...props} />
        <RepeatsSetting {...props} />
      </div>
      <div className={styles.group}>
        <Setting label={texts.meanwhile}>
          <p className={styles.hint}>{texts.meanwhileHint}</p>
          <p className={styles.hint}>{texts.nothingIsDeleted}</p>
        </Setting>
      </div>
    </>
  );
}

function Setting({ label, id, children }: { label: string; id?: string; children: ReactNode }) {
  return (
    <div className={styles.setting}>
      {id === undefined ? <span>{label}</span> : <label htmlFor={id}>{label}</label>}
      <div className={styles.value}>{children}</div>
    </div>
  );
}

const countOf = ({ total, isAtLeast }: { total: number; isAtLeast?: true }): string =>
  isAtLeast ? texts.atLeast(countText(total)) : countText(total);

function WhichAlerts({ draft: { search }, preview, mayChange, onChange }: FormProps) {
  const settled = useSettled(search, COUNT_MS);
  const week = useQuery({ ...weekQuery(settled), enabled: mayChange });
  const open = useQuery({ ...openQuery(settled), enabled: mayChange });
  const fault = preview.searchFault ?? (week.error ?? open.error)?.message;
  const [inWeek, stillOpen] = [useLastAnswer(week), useLastAnswer(open)];
  const counts = inWeek && stillOpen && ([countOf(inWeek), countOf(stillOpen)] as const);
  return (
    <Setting label={texts.whichAlerts} id="ad-window-search">
      <CountedSearch
        id="ad-window-search"
        search={search}
        placeholder={texts.allAlerts}
        onChange={(changed) => onChange({ search: changed })}
        count={
          counts &&
          texts.inWeekAndOpen(<strong>{counts[0]}</strong>, <strong>{counts[1]}</strong>, search.trim() === '')
        }
        spoken={counts ? texts.inWeekAndOpenSpoken(...counts) : ''}
        isOld={settled !== search || week.isError || open.isError}
        hint={<p className={styles.hint}>{texts.searchHint}</p>}
        fault={fault === undefined ? undefined : <p className={styles.missing}>{fault}</p>}
      />
    </Setting>
  );
}

function Starts({ draft, onChange }: FormProps) {
  return (
    <Setting label={texts.starts}>
      <div className={styles.inline}>
        <InputGroup
          type="date"
          aria-label={texts.date}
          value={draft.date}
          disabled={draft.isNow}
          onValueChange={(date) => onChange({ date })}
        />
        <InputGroup
          type="time"
          aria-label={texts.time}
          value={draft.time}
          disabled={draft.isNow}
          onValueChange={(time) => onChange({ time })}
        />
        <Button
          text={texts.startNow}
          active={draft.isNow}
          aria-pressed={draft.isNow}
          onClick={() => {
            const { date, time } = shownAt(Date.now(), draft.timeZone);
            onChange(draft.isNow ? { isNow: false } : { isNow: true, date, time });
          }}
        />
      </div>
    </Setting>
  );
}

function Lasts({ draft, onChange }: FormProps) {
  const start = startOf(draft);
  const minutes = minutesOf(draft);
  const end = start === undefined || minutes === undefined ? undefined : start + minutes * MINUTE_MS;
  const choose = (chosen: string): void => {
    if (chosen !== 'until') return onChange({ hasEnd: false, minutes: Number(chosen) });
    const shown = shownAt(end ?? (start ?? Date.now()) + 60 * MINUTE_MS, draft.timeZone);
    return onChange({ hasEnd: true, endDate: shown.date, endTime: shown.time });
  };
  return (
    <Setting label={texts.lasts}>
      <div className={styles.inline}>
        <SegmentedControl
          aria-label={texts.lasts}
          value={draft.hasEnd ? 'until' : String(draft.minutes)}
          options={[
            ...LENGTHS.map((length) => ({ label: texts.minutes(length), value: String(length) })),
            { label: texts.until, value: 'until' },
          ]}
          onValueChange={choose}
        />
        {draft.hasEnd ? (
          <>
            <InputGroup
              type="date"
              aria-label={texts.endDate}
              value={draft.endDate}
              onValueChange={(endDate) => onChange({ endDate })}
            />
            <InputGroup
              type="time"
              aria-label={texts.endTime}
              value={draft.endTime}
              onValueChange={(endTime) => onChange({ endTime })}
            />
          </>
        ) : (
          end !== undefined && <span className={styles.hint}>{texts.toTime(momentText(end, draft.timeZone))}</span>
        )}
      </div>
    </Setting>
  );
}

function RepeatsSetting({ draft, preview, onChange }: FormProps) {
  const days = daysOf(draft);
  const zones = [...new Set([draft.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <Setting label={texts.repeats}>
      <SegmentedControl
        aria-label={texts.repeats}
        value={draft.repeats}
        options={REPEATS.map((value) => ({ label: texts.repeatsOptions[value], value }))}
        onValueChange={(repeats) => onChange({ repeats: repeats as Repeats })}
      />
      {draft.repeats === 'weekly' && (
        <fieldset className={styles.inline} aria-label={texts.days}>
          {DAYS.map((day) => (
            <Button
              key={day}
              className={styles.day}
              text={texts.dayNames[day].slice(0, 1)}
              aria-label={texts.dayNames[day]}
              aria-pressed={days.includes(day)}
              intent={days.includes(day) ? 'primary' : 'none'}
              variant="outlined"
              onClick={() => onChange({ days: toggleDay(draft, day) })}
            />
          ))}
        </fieldset>
      )}
      {draft.repeats === 'custom' && (
        <InputGroup
          aria-label={texts.rule}
          placeholder={texts.ruleExample}
          value={draft.rrule}
          maxLength={300}
          spellCheck={false}
          onValueChange={(rrule) => onChange({ rrule })}
        />
      )}
      <div className={styles.inline}>
        {draft.repeats !== 'never' && draft.repeats !== 'custom' && (
          <>
            <label className={styles.inline}>
              {texts.ends}
              <HTMLSelect
                value={draft.ends}
                options={Object.entries(texts.endsOptions).map(([value, label]) => ({ value, label }))}
                onChange={({ currentTarget }) => onChange({ ends: currentTarget.value as WindowDraft['ends'] })}
              />
            </label>
            {draft.ends === 'on' && (
              <InputGroup
                type="date"
                aria-label={texts.lastDay}
                value={draft.lastDate}
                onValueChange={(lastDate) => onChange({ lastDate })}
              />
            )}
            {draft.ends === 'after' && (
              <InputGroup
                type="number"
                aria-label={texts.howOften}
                min={1}
                max={9999}
                value={draft.count}
                onValueChange={(count) => onChange({ count })}
              />
            )}
          </>
        )}
        <label className={styles.inline}>
          {texts.timeZone}
          <HTMLSelect
            value={draft.timeZone}
            options={zones}
            onChange={({ currentTarget }) => onChange({ timeZone: currentTarget.value })}
          />
        </label>
      </div>
      <Sentence draft={draft} fault={preview.fault} />
    </Setting>
  );
}

/** When it is on, in words; what is wrong with that, as the server says. */
function Sentence({ draft, fault }: { draft: WindowDraft; fault: string | undefined }) {
  const written = windowOf(draft);
  const sentence = written === undefined ? '' : scheduleSentence(written, draft.isNow);
  const announced = useSettled(sentence, ANNOUNCE_MS);
  if (fault !== undefined) return <p className={styles.missing}>{fault}</p>;
  if (sentence === '') return null;
  return (
    <>
      <p className={styles.sentence}>{sentence}</p>
      <output className="ad-hidden">{announced}</output>
    </>
  );
}
