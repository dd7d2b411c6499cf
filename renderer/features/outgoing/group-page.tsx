import { Button, Checkbox, InputGroup } from '@blueprintjs/core';
import { PeopleIcon, TrashIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { type Group, MAX_GROUP_MEMBERS } from '#backend/contract/ladder.ts';
import { sortByName } from '#backend/contract/name.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { groupsQuery, membersQuery, usePeopleCommands } from './ladder-data.ts';
import { NotTherePage } from './not-there-page.tsx';
import { OUTGOING_PAGES, pathOfGroup } from './outgoing-labels.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './people-texts.ts';
import * as outgoingTexts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';
import * as ladderStyles from './ladder.module.css';

const PARENT = OUTGOING_PAGES[2];

/** A group that is made or changed. */
export function GroupPage() {
  const { id = '' } = useParams();
  const groups = useQuery(groupsQuery);
  const members = useQuery(membersQuery);
  const group = groups.data?.find((one) => one.id === id);
  const error = groups.error ?? members.error;
  if (groups.data && members.data && (id === 'new' || group)) {
    return <GroupEditor key={id} before={group} members={members.data} />;
  }
  return (
    <NotTherePage
      title={texts.group}
      parent={PARENT}
      isRead={groups.data !== undefined && members.data !== undefined}
      error={error}
      onRetry={() => void Promise.all([groups.refetch(), members.refetch()])}
      notFound={{
        icon: <PeopleIcon size={40} />,
        title: texts.groupNotFound,
        text: texts.groupNotFoundHint,
        all: texts.allGroups,
      }}
      what={texts.theGroup}
      label={texts.theGroupInText}
    />
  );
}

const startOf = (group: Group | undefined) => ({
  name: group?.name ?? '',
  memberIds: group?.members.map(({ id }) => id).toSorted() ?? [],
});

interface EditorProps {
  before: Group | undefined;
  /** Members who may sign in; who is disabled is known by the group alone. */
  members: readonly { id: string; displayName: string }[];
}

function GroupEditor({ before, members }: EditorProps) {
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
  const missing = written.name.trim() === '' ? texts.giveGroupName : undefined;
  const disabled = (before?.members ?? []).filter(({ isActive }) => !isActive);
  const all = sortByName([...members, ...disabled], ({ displayName }) => displayName);
  const save = async (): Promise<void> => {
    setPending(true);
    setFailure(undefined);
    try {
      if (before) {
        setWritten(startOf(await commands.changeGroup(before, written)));
        toasts.show({ title: texts.groupSaved });
      } else {
        setLeaving(true);
        void navigate(pathOfGroup((await commands.createGroup(written)).id), { replace: true });
      }
    } catch (error) {
      setLeaving(false);
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setPending(false);
    }
  };
  const toggle = (id: string): void =>
    setWritten(({ name, memberIds }) => ({
      name,
      memberIds: memberIds.includes(id) ? memberIds.filter((one) => one !== id) : [...memberIds, id].toSorted(),
    }));
  return (
    <div className={`${pageHeadStyles.page} ${styles.outgoing}`}>
      <PageHead title={before ? inertLine(before.name) : texts.newGroup} parent={PARENT}>
        {before && (
          <Button
            icon={<TrashIcon />}
            text={outgoingTexts.askToDelete}
            aria-haspopup="dialog"
            onClick={() => deleting.open(true)}
          />
        )}
        <Button text={outgoingTexts.discard} disabled={!isChanged} onClick={() => setWritten(startOf(before))} />
        <Button
          className={pageHeadStyles.action}
          intent="primary"
          text={texts.saveGroup}
          loading={isPending}
          disabled={missing !== undefined || !isChanged}
          title={missing}
          onClick={() => void save()}
        />
      </PageHead>
      <div className={panelStyles.pageBody}>
        <section className={panelStyles.panel} aria-label={texts.group}>
          <output className={styles.failure} hidden={failure === undefined}>
            {failure}
          </output>
          <div className={styles.part}>
            <label htmlFor="ad-group-name">{pageTexts.name}</label>
            <InputGroup
              id="ad-group-name"
              value={written.name}
              maxLength={100}
              onValueChange={(name) => setWritten(({ memberIds }) => ({ name, memberIds }))}
            />
          </div>
          <fieldset className={styles.part}>
            <legend>{outgoingTexts.members}</legend>
            <div className={ladderStyles.members}>
              {all.map(({ id, displayName }) => (
                <Checkbox
                  key={id}
                  checked={written.memberIds.includes(id)}
                  disabled={!written.memberIds.includes(id) && written.memberIds.length >= MAX_GROUP_MEMBERS}
                  label={
                    disabled.some((one) => one.id === id)
                      ? texts.disabledMember(inertLine(displayName))
                      : inertLine(displayName)
                  }
                  onChange={() => toggle(id)}
                />
              ))}
            </div>
            <p className={styles.hint}>{texts.membersHint}</p>
          </fieldset>
          {missing !== undefined && <p className={`${styles.missing} ${styles.part}`}>{missing}</p>}
        </section>
      </div>
      <UnsavedDialog guard={guard} text={texts.unsavedGroupHint} />
      {before && deleting.shown && (
        <DeleteDialog
          key={deleting.shown.key}
          title={texts.deleteGroupQuestion}
          text={texts.deleteGroupHint}
          presence={deleting.shown.presence}
          onDelete={() => commands.deleteGroup(before.id)}
          next={PARENT.to}
          onLeaving={setLeaving}
        />
      )}
    </div>
  );
}
