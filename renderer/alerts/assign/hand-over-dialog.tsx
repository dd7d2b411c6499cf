import { Button, Checkbox, Radio, RadioGroup, TextArea } from '@blueprintjs/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useAtom } from 'jotai';
import { atomWithStorage, createJSONStorage, unstable_withStorageValidator as withStorageValidator } from 'jotai/utils';
import { useState } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import { type Colleague, MAX_HAND_OVER_NOTE, handOverCountsSchema } from '#backend/contract/assignment.ts';
import { useChangeMany } from '#renderer/alerts/bulk/change-many.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { useFolderTree } from '#renderer/folders/data/use-folder-tree.ts';
import { FolderDot } from '#renderer/folders/folder-dot.tsx';
import { apiGet } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useSession } from '#renderer/session/session.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { type Which, countOf, foldersWithAlerts, severitiesOf, snoozedOf, wantedOf } from './hand-over-counts.ts';
import { usePeople } from './people.tsx';
import { PersonField } from './person-field.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as formDialogStyles from '#renderer/ui/form-dialog/form-dialog.module.css';
import * as styles from './assign.module.css';

/** `GET /api/alerts/hand-over`, asked for when the dialog opens. */
const countsQuery = queryOptions({
  queryKey: ['/api/alerts/hand-over'] as const,
  queryFn: ({ signal }) => apiGet('/api/alerts/hand-over', handOverCountsSchema, { signal }),
  refetchOnMount: 'always',
  gcTime: 0,
});

/** Who is there comes first; among these, who has the fewest open alerts, as the server sorts them. */
const byOnline = (one: Colleague, other: Colleague): number => Number(other.isOnline) - Number(one.isOnline);

/** Key of the local storage that holds, as JSON, whom each member of this device handed over to last: ids by ids. */
const LAST_KEY = 'handed-over-to';

const isRecord = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every((id) => typeof id === 'string');

const lastRecipientAtom = atomWithStorage<Record<string, string>>(
  LAST_KEY,
  {},
  withStorageValidator(isRecord)(createJSONStorage()),
  { getOnInit: true },
);

/** Gives the member's open alerts to somebody, all or some, with a note. */
export function HandOverDialog({ presence }: { presence: DialogPresence }) {
  const me = useSession();
  const { handOver } = useChangeMany();
  const people = usePeople();
  const others = people.data?.filter(({ id }) => id !== me.id).sort(byOnline);
  const { data: counts = [], error, isPending, refetch } = useQuery(countsQuery);
  const tree = useFolderTree() ?? [];
  const [last, setLast] = useAtom(lastRecipientAtom);
  const [chosen, setChosen] = useState<Colleague>();
  const to = chosen ?? others?.find(({ id }) => id === last[me.id]);
  const [note, setNote] = useState('');
  const [status, setStatus] = useState<Which['status']>();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isWithFolders, setWithFolders] = useState(false);

  const filed = foldersWithAlerts(counts, status);
  const folders = tree.filter(({ folder }) => filed.has(folder.id));
  const folderIds = isWithFolders ? [...filed.keys()].filter((id) => !left.has(id)) : [];
  const which: Which = { status, folderIds };
  const wanted = wantedOf(counts, which);
  const count = countOf(wanted);
  const snoozed = snoozedOf(wanted);
  const ofQueue = (only: Which['status']): number => countOf(wantedOf(counts, { status: only, folderIds: [] }));
  const inFolders = [...filed.values()].reduce((sum, alerts) => sum + alerts, 0);
  const send = (): void => {
    if (!to) return;
    presence.onClose();
    setLast((known) => ({ ...known, [me.id]: to.id }));
    const text = note.trim();
    handOver({ userId: to.id, ...(status && { status }), folderIds, ...(text !== '' && { note: text }) }, to, count);
  };
  const failed = error ?? people.error;
  return (
    <FormDialog
      presence={presence}
      title={common.handOverMyQueue}
      subtitle={texts.goToOnePerson(countText(count), count)}
      submit={{
        text: texts.handOverSome(countText(count)),
        pendingText: texts.handOver,
        isPending: false,
        isDisabled: to === undefined || count === 0,
      }}
      onSubmit={send}
    >
      {failed && (
        <div className={styles.assignState} role="alert">
          <p>{texts.alertsNotLoaded(failed.message)}</p>
          <Button text={common.tryAgain} onClick={() => void Promise.all([people.refetch(), refetch()])} />
        </div>
      )}
      <FormField label={texts.to} hint={texts.recipientHint}>
        {(ids) => (
          <PersonField
            {...ids}
            to={to}
            people={others}
            isFailed={people.error !== null}
            me={me.id}
            // Who hands over to the same person as the last time goes on with Enter.
            takesFocus={last[me.id] === undefined}
            onSelect={setChosen}
          />
        )}
      </FormField>
      <RadioGroup
        className={styles.which}
        label={texts.which}
        selectedValue={status ?? 'all'}
        onChange={({ currentTarget: { value } }) => setStatus(value === 'in-progress' ? value : undefined)}
      >
        <Radio value="all" labelElement={<Choice text={texts.allOpen} count={ofQueue(undefined)} />} />
        <Radio
          value="in-progress"
          labelElement={<Choice text={texts.onlyInProgress} count={ofQueue('in-progress')} />}
        />
      </RadioGroup>
      {filed.size > 0 && (
        <div className={styles.folders}>
          <Checkbox
            checked={isWithFolders}
            onChange={({ currentTarget: { checked } }) => setWithFolders(checked)}
            labelElement={<Choice text={texts.alsoAlertsInMyFolders} count={inFolders} />}
          />
          {isWithFolders && (
            <ul aria-label={common.folders}>
              {folders.map(({ folder }) => (
                <li key={folder.id}>
                  <Checkbox
                    checked={!left.has(folder.id)}
                    onChange={() => setLeft(without(left, folder.id))}
                    labelElement={
                      <Choice
                        text={
                          <>
                            <FolderDot color={folder.color} /> <bdi>{inertLine(folder.name)}</bdi>
                          </>
                        }
                        count={filed.get(folder.id) ?? 0}
                      />
                    }
                  />
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      {!isPending && !failed && (
        <div className={styles.sum} aria-live="polite">
          {count === 0 ? (
            <p>{texts.nothingIsOpenHere}</p>
          ) : (
            <ul aria-label={texts.bySeverity}>
              {severitiesOf(wanted).map(({ severity, label, alerts }) => (
                <li key={label}>
                  {severity !== 'none' && <SeverityMark severity={severity} state="firing" />}
                  {countText(alerts)} {label}
                </li>
              ))}
            </ul>
          )}
          {snoozed > 0 && <p>{texts.snoozedGoToo(countText(snoozed), snoozed)}</p>}
        </div>
      )}
      <FormField
        label={
          <>
            {texts.note} <span className={formDialogStyles.optional}>{texts.optional}</span>
          </>
        }
      >
        {(ids) => (
          <TextArea
            {...ids}
            className={styles.note}
            fill
            maxLength={MAX_HAND_OVER_NOTE}
            value={note}
            onChange={({ currentTarget: { value } }) => setNote(value)}
          />
        )}
      </FormField>
    </FormDialog>
  );
}

/** A choice with how many alerts it brings, at the end of its line. */
const Choice = ({ text, count }: { text: React.ReactNode; count: number }) => (
  <span className={styles.choice}>
    <span>{text}</span>
    <span className={styles.count}>{countText(count)}</span>
  </span>
);

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const changed = new Set(ids);
  if (!changed.delete(id)) changed.add(id);
  return changed;
}
