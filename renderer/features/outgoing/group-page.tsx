import { Checkbox, InputGroup } from '@blueprintjs/core';
import { SearchIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Group, MAX_GROUP_MEMBERS } from '#backend/contract/ladder.ts';
import { sortByName } from '#backend/contract/name.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { EditorFrame, EditorPanel } from './editor-frame.tsx';
import { GROUPS } from './entries.tsx';
import { EntryPage } from './entry-page.tsx';
import { groupsQuery, membersQuery, usePeopleCommands } from './ladder-data.ts';
import { useEditor } from '#renderer/ui/editor/use-editor.ts';
import * as texts from './people-texts.ts';
import * as outgoingTexts from './texts.ts';
import * as styles from './outgoing.module.css';
import * as ladderStyles from './ladder.module.css';

/** From so many members on, they are filtered by name. */
const FILTER_FROM = 8;

/** A group that is made or changed. */
export function GroupPage() {
  const groups = useQuery(groupsQuery);
  const members = useQuery(membersQuery);
  return (
    <EntryPage entry={GROUPS} queries={[groups, members]} all={groups.data}>
      {(id, before, copied) => <GroupEditor key={id} before={before} copied={copied} members={members.data ?? []} />}
    </EntryPage>
  );
}

const startOf = (group: Group | undefined) => ({
  name: group?.name ?? '',
  memberIds: group?.members.map(({ id }) => id).toSorted() ?? [],
});

interface EditorProps {
  before: Group | undefined;
  /** What a new one is a copy of. */
  copied: Group | undefined;
  /** Members who may sign in; who is disabled is known by the group alone. */
  members: readonly { id: string; displayName: string }[];
}

function GroupEditor({ before: listed, copied, members }: EditorProps) {
  const commands = usePeopleCommands();
  const editor = useEditor({
    before: listed,
    copied,
    listPath: GROUPS.to,
    startOf,
    // Who is taken out and put back stands elsewhere in it.
    sentOf: ({ name, memberIds }) => [name.trim(), memberIds.toSorted()],
    create: async (group) => GROUPS.pathOf((await commands.createGroup(group)).id),
    update: commands.changeGroup,
    readAgain: commands.readAgain,
    saved: GROUPS.saved,
  });
  const { before } = editor;
  const { name, memberIds } = editor.written;
  const missing = name.trim() === '' ? texts.giveGroupName : undefined;
  const all = useMemo(() => {
    const disabled = (before?.members ?? []).filter(({ isActive }) => !isActive);
    const ids = new Set(disabled.map(({ id }) => id));
    // Both are read one after the other: who was disabled in between is in both.
    const enabled = members.flatMap(({ id, displayName }) =>
      ids.has(id) ? [] : [{ id, displayName, isActive: true }],
    );
    return sortByName([...enabled, ...disabled], ({ displayName }) => displayName);
  }, [before, members]);
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const shown = all.filter(({ displayName }) => displayName.toLowerCase().includes(wanted));
  const toggle = (id: string): void =>
    editor.change({
      memberIds: memberIds.includes(id) ? memberIds.filter((one) => one !== id) : [...memberIds, id].toSorted(),
    });
  return (
    <EditorFrame
      entry={GROUPS}
      editor={editor}
      missing={missing}
      columns="none"
      deleteHint={texts.deleteGroupHint}
      onDelete={commands.deleteGroup}
    >
      <EditorPanel entry={GROUPS} editor={editor} missing={missing}>
        <fieldset className={styles.part}>
          <legend>{outgoingTexts.members}</legend>
          {all.length >= FILTER_FROM && (
            <InputGroup
              className={ladderStyles.memberSearch}
              type="search"
              leftElement={<SearchIcon className={styles.fieldIcon} />}
              placeholder={texts.findMembers}
              aria-label={texts.findMembers}
              value={search}
              onValueChange={setSearch}
            />
          )}
          {shown.length === 0 && <p className={styles.hint}>{texts.noMemberFound}</p>}
          <div className={ladderStyles.members}>
            {shown.map(({ id, displayName, isActive }) => (
              <Checkbox
                key={id}
                checked={memberIds.includes(id)}
                disabled={!memberIds.includes(id) && memberIds.length >= MAX_GROUP_MEMBERS}
                label={isActive ? inertLine(displayName) : texts.disabledMember(inertLine(displayName))}
                onChange={() => toggle(id)}
              />
            ))}
          </div>
          <p className={styles.hint}>{texts.membersHint}</p>
        </fieldset>
      </EditorPanel>
    </EditorFrame>
  );
}
