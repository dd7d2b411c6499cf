import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Group } from '#backend/contract/ladder.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useDeletion } from './delete-dialog.tsx';
import { GROUPS } from './entries.tsx';
import { groupsQuery, usePeopleCommands } from './ladder-data.ts';
import { ListPage } from './list-page.tsx';
import { RowTools } from './row-tools.tsx';
import { useRowActions } from './use-row-actions.tsx';
import * as texts from './people-texts.ts';
import * as outgoingTexts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';
import * as ladderStyles from './ladder.module.css';

/** Groups of members that ladders notify. */
export function GroupsPage() {
  const groups = useQuery(groupsQuery);
  return (
    <ListPage
      entry={GROUPS}
      queries={[groups]}
      rows={groups.data}
      countLabel={texts.groupNoun(groups.data?.length)}
      wordsOf={({ name, members }) => [name, ...members.map(({ displayName }) => displayName)]}
    >
      {(rows) => <GroupList groups={rows} />}
    </ListPage>
  );
}

function GroupList({ groups }: { groups: readonly Group[] }) {
  const commands = usePeopleCommands();
  const { edit, duplicate, remove } = useRowActions(GROUPS);
  const deletion = useDeletion<Group>({
    entry: GROUPS,
    hintOf: () => texts.deleteGroupHint,
    onDelete: commands.deleteGroup,
  });
  return (
    <>
      <ul className={`${panelStyles.rows} ${panelStyles.rows_sheet}`} aria-label={outgoingTexts.groups}>
        {groups.map((group) => (
          <GroupRow key={group.id} group={group}>
            <RowTools
              name={inertLine(group.name)}
              actions={[edit(group.id), duplicate(group.id)]}
              deletion={remove(() => deletion.ask(group))}
            />
          </GroupRow>
        ))}
      </ul>
      {deletion.dialog}
    </>
  );
}

function GroupRow({ group: { id, name, members, usedBy }, children }: { group: Group; children: ReactNode }) {
  const disabled = members.filter(({ isActive }) => !isActive).length;
  return (
    <li className={ladderStyles.onRow}>
      <Link className={`${styles.name} ${styles.rowLink}`} dir="auto" to={GROUPS.pathOf(id)}>
        {inertLine(name)}
      </Link>
      <span className={styles.places}>
        {members.length === 0 ? (
          <span className={ladderStyles.fault}>{outgoingTexts.nobody}</span>
        ) : (
          members.map(({ displayName }) => inertLine(displayName)).join(', ')
        )}
      </span>
      <span className={styles.small}>{texts.usedBy(usedBy.map((rule) => inertLine(rule.name)))}</span>
      <span className={styles.small}>{disabled === 0 ? '' : texts.disabledMembers(disabled)}</span>
      <div className={styles.tools}>{children}</div>
    </li>
  );
}
