import { Button, FileInput, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { type Calendar, MAX_CALENDAR_TEXT } from '#backend/contract/ladder.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatFieldTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { CalendarShifts } from './calendar-shifts.tsx';
import { EditorFrame, EditorPanel } from './editor-frame.tsx';
import { CALENDARS } from './entries.tsx';
import { EntryPage } from './entry-page.tsx';
import { calendarsQuery, usePeopleCommands } from './ladder-data.ts';
import { useEditor } from '#renderer/ui/editor/use-editor.ts';
import * as texts from './people-texts.ts';
import * as styles from './outgoing.module.css';
import * as ladderStyles from './ladder.module.css';

/** A calendar that is made or changed, with who is on. */
export function CalendarPage() {
  const calendars = useQuery(calendarsQuery);
  return (
    <EntryPage entry={CALENDARS} queries={[calendars]} all={calendars.data}>
      {(id, before) => <CalendarEditor key={id} before={before} />}
    </EntryPage>
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

/**
 * By what it shows that a colleague has chosen another address or file, of which there is one. An address is read again and
 * again, a file once.
 */
function marksOf({ source, addressHint, readAt }: Calendar) {
  const mark = source === 'file' ? readAt : addressHint;
  return { url: mark, file: mark };
}

/** What a calendar is read from, as it was written; nothing where that stays. */
function sourceOf({ url, file }: WrittenCalendar): { url?: string; content?: string } {
  if (file) return { content: file.text };
  return url.trim() === '' ? {} : { url: url.trim() };
}

function missingOf(written: WrittenCalendar, before: Calendar | undefined): string | undefined {
  if (written.name.trim() === '') return texts.giveCalendarName;
  return before || Object.keys(sourceOf(written)).length > 0 ? undefined : texts.enterAddressOrFile;
}

function CalendarEditor({ before: listed }: { before: Calendar | undefined }) {
  const commands = usePeopleCommands();
  const editor = useEditor({
    before: listed,
    listPath: CALENDARS.to,
    startOf,
    marksOf,
    sentOf: (written) => [written.name.trim(), sourceOf(written)],
    create: async (calendar) =>
      CALENDARS.pathOf((await commands.createCalendar({ name: calendar.name, ...sourceOf(calendar) })).id),
    update: (calendar, to) => commands.changeCalendar(calendar, { name: to.name, ...sourceOf(to) }),
    readAgain: commands.readAgain,
    saved: CALENDARS.saved,
  });
  const { before, written, change } = editor;
  const missing = missingOf(written, before);
  const fault = useNow((now) => before && faultOf(before, now));
  const readFile = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    if (file.size > MAX_CALENDAR_TEXT) editor.fail('file', texts.fileTooLarge);
    else change({ file: { name: file.name, text: await file.text() }, url: '' });
  };
  return (
    <EditorFrame
      entry={CALENDARS}
      editor={editor}
      missing={missing}
      columns="rule"
      tools={
        before?.source === 'address' && (
          <Button
            text={texts.readNow}
            disabled={editor.isPending}
            onClick={() => editor.run(() => commands.refreshCalendar(before.id))}
          />
        )
      }
      deleteHint={texts.deleteCalendarHint}
      onDelete={commands.deleteCalendar}
    >
      <EditorPanel entry={CALENDARS} editor={editor} missing={missing} fault={fault}>
        <div className={styles.part}>
          <label htmlFor="ad-calendar-url">{texts.calendarAddress}</label>
          <InputGroup
            id="ad-calendar-url"
            value={written.url}
            maxLength={2_000}
            placeholder={before?.addressHint ? texts.addressKept(before.addressHint) : texts.calendarAddressPlaceholder}
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
            onInputChange={({ currentTarget }) => {
              void readFile(currentTarget.files?.[0]);
              // The same file can be chosen again, once it was corrected.
              currentTarget.value = '';
            }}
          />
          <p className={styles.hint}>{texts.calendarHint}</p>
        </div>
        {before && before.unknown.length > 0 && (
          <p className={`${styles.part} ${ladderStyles.fault}`}>
            {texts.noMemberCalled(before.unknown.map(inertLine).join(', '))}
          </p>
        )}
      </EditorPanel>
      {before && <CalendarShifts calendar={before} />}
    </EditorFrame>
  );
}

/** Why the calendar could not be read, and what is used meanwhile. */
function faultOf({ failure, readAt }: Calendar, now: Date): string | undefined {
  if (failure === undefined) return undefined;
  return readAt === null
    ? texts.neverRead(inertLine(failure))
    : texts.copyIsUsed(inertLine(failure), formatFieldTime(new Date(readAt), now));
}
