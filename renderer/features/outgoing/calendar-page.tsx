import { Button, FileInput, InputGroup } from '@blueprintjs/core';
import { CalendarIcon, TrashIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { type Calendar, MAX_CALENDAR_TEXT } from '#backend/contract/ladder.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatCardTime } from '#renderer/lib/times.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { CalendarShifts } from './calendar-shifts.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { calendarsQuery, usePeopleCommands } from './ladder-data.ts';
import { NotTherePage } from './not-there-page.tsx';
import { OUTGOING_PAGES, pathOfCalendar } from './outgoing-labels.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './people-texts.ts';
import * as outgoingTexts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';
import * as ladderStyles from './ladder.module.css';

const PARENT = OUTGOING_PAGES[3];

/** A calendar that is made or changed, with who is on. */
export function CalendarPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(calendarsQuery);
  const calendar = data?.find((one) => one.id === id);
  if (data && (id === 'new' || calendar)) return <CalendarEditor key={id} before={calendar} />;
  return (
    <NotTherePage
      title={texts.calendar}
      parent={PARENT}
      isRead={data !== undefined}
      error={error}
      onRetry={() => void refetch()}
      notFound={{
        icon: <CalendarIcon size={40} />,
        title: texts.calendarNotFound,
        text: texts.calendarNotFoundHint,
        all: texts.allCalendars,
      }}
      what={texts.theCalendar}
      label={texts.theCalendarInText}
    />
  );
}

interface WrittenCalendar {
  name: string;
  url: string;
  file: { name: string; text: string } | undefined;
}

const startOf = (calendar: Calendar | undefined): WrittenCalendar => ({
  name: calendar?.name ?? '',
  url: '',
  file: undefined,
});

function CalendarEditor({ before }: { before: Calendar | undefined }) {
  const [written, setWritten] = useState(() => startOf(before));
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const commands = usePeopleCommands();
  const navigate = useNavigate();
  const toasts = useToasts();
  const deleting = useDialog();
  const isChanged = JSON.stringify(written) !== JSON.stringify(startOf(before));
  const guard = useLeaveGuard(isChanged && !isLeaving);
  const hasSource = before !== undefined || written.url.trim() !== '' || written.file !== undefined;
  const missing =
    written.name.trim() === '' ? texts.giveCalendarName : hasSource ? undefined : texts.enterAddressOrFile;
  const change = (some: Partial<WrittenCalendar>): void => setWritten((now) => ({ ...now, ...some }));
  const run = async (work: () => Promise<void>): Promise<void> => {
    setPending(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setLeaving(false);
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setPending(false);
    }
  };
  const save = () =>
    run(async () => {
      const { name, url, file } = written;
      const source = file ? { content: file.text } : url.trim() === '' ? {} : { url };
      if (before) {
        setWritten(startOf(await commands.changeCalendar(before, { name, ...source })));
        toasts.show({ title: texts.calendarSaved });
        return;
      }
      setLeaving(true);
      void navigate(pathOfCalendar((await commands.createCalendar({ name, ...source })).id), { replace: true });
    });
  const readFile = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    if (file.size > MAX_CALENDAR_TEXT) setFailure(texts.fileTooLarge);
    else change({ file: { name: file.name, text: await file.text() }, url: '' });
  };
  return (
    <div className={`${pageHeadStyles.page} ${styles.outgoing}`}>
      <PageHead title={before ? inertLine(before.name) : texts.newCalendar} parent={PARENT}>
        {before && (
          <Button
            icon={<TrashIcon />}
            text={outgoingTexts.askToDelete}
            aria-haspopup="dialog"
            onClick={() => deleting.open(true)}
          />
        )}
        {before?.source === 'address' && (
          <Button
            text={texts.readNow}
            disabled={isPending}
            onClick={() => void run(async () => void (await commands.refreshCalendar(before.id)))}
          />
        )}
        <Button text={outgoingTexts.discard} disabled={!isChanged} onClick={() => setWritten(startOf(before))} />
        <Button
          className={pageHeadStyles.action}
          intent="primary"
          text={texts.saveCalendar}
          loading={isPending}
          disabled={missing !== undefined || !isChanged}
          title={missing}
          onClick={() => void save()}
        />
      </PageHead>
      <div className={`${panelStyles.pageBody} ${styles.columns} ${styles.columns_rule}`}>
        <section className={panelStyles.panel} aria-label={texts.calendar}>
          <output className={styles.failure} hidden={failure === undefined}>
            {failure}
          </output>
          {before?.failure !== undefined && (
            <p className={styles.failure}>
              {before.readAt === null
                ? texts.neverRead(inertLine(before.failure))
                : texts.copyIsUsed(inertLine(before.failure), formatCardTime(new Date(before.readAt)))}
            </p>
          )}
          <div className={styles.part}>
            <label htmlFor="ad-calendar-name">{pageTexts.name}</label>
            <InputGroup
              id="ad-calendar-name"
              value={written.name}
              maxLength={100}
              onValueChange={(name) => change({ name })}
            />
          </div>
          <div className={styles.part}>
            <label htmlFor="ad-calendar-url">{texts.calendarAddress}</label>
            <InputGroup
              id="ad-calendar-url"
              value={written.url}
              maxLength={2_000}
              placeholder={
                before?.addressHint ? texts.addressKept(before.addressHint) : texts.calendarAddressPlaceholder
              }
              onValueChange={(url) => change({ url, file: undefined })}
            />
            <p className={styles.hint}>{texts.calendarAddressHint}</p>
          </div>
          <div className={styles.part}>
            <label htmlFor="ad-calendar-file">{texts.orFile}</label>
            <FileInput
              className={ladderStyles.file}
              fill
              text={written.file?.name ?? (before?.source === 'file' ? texts.fileKept : texts.chooseFile)}
              inputProps={{ id: 'ad-calendar-file', accept: '.ics,text/calendar' }}
              onInputChange={({ currentTarget }) => void readFile(currentTarget.files?.[0])}
            />
            <p className={styles.hint}>{texts.calendarHint}</p>
          </div>
          {before && before.unknown.length > 0 && (
            <p className={`${styles.part} ${ladderStyles.fault}`}>
              {texts.noMemberCalled(before.unknown.map(inertLine).join(', '))}
            </p>
          )}
          {missing !== undefined && <p className={`${styles.missing} ${styles.part}`}>{missing}</p>}
        </section>
        {before && <CalendarShifts calendar={before} />}
      </div>
      <UnsavedDialog guard={guard} text={texts.unsavedCalendarHint} />
      {before && deleting.shown && (
        <DeleteDialog
          key={deleting.shown.key}
          title={texts.deleteCalendarQuestion}
          text={texts.deleteCalendarHint}
          presence={deleting.shown.presence}
          onDelete={() => commands.deleteCalendar(before.id)}
          next={PARENT.to}
          onLeaving={setLeaving}
        />
      )}
    </div>
  );
}
