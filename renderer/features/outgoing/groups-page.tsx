import { PeopleIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { Group } from '#backend/contract/ladder.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { groupsQuery } from './ladder-data.ts';
import { ListPage } from './list-page.tsx';
import { pathOfGroup } from './outgoing-labels.ts';
import * as texts from './people-texts.ts';
import * as outgoingTexts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';
import * as ladderStyles from './ladder.module.css';

/** Groups of members that ladders notify. */
export function GroupsPage() {
  const { data: groups, error, refetch } = useQuery(groupsQuery);
  return (
    <ListPage
      rows={groups}
      error={error}
      onRetry={() => void refetch()}
      countLabel={texts.groupNoun(groups?.length)}
      add={{ text: texts.newGroup, path: pathOfGroup('new') }}
      empty={{ icon: <PeopleIcon size={40} />, title: texts.noGroupsYet, text: texts.noGroupsHint }}
      what={outgoingTexts.groups}
      label={texts.groupsInText}
    >
      {(rows) => (
        <ul className={`${panelStyles.rows} ${panelStyles.rows_sheet}`} aria-label={outgoingTexts.groups}>
          {rows.map((group) => (
            <GroupRow key={group.id} group={group} />
          ))}
        </ul>
      )}
    </ListPage>
  );
}

function GroupRow({ group: { id, name, members, usedBy } }: { group: Group }) {
  const disabled = members.filter(({ isActive }) => !isActive).length;
  return (
    <li className={ladderStyles.onRow}>
      <Link className={`${styles.name} ${styles.rowLink}`} to={pathOfGroup(id)}>
        <bdi>{inertLine(name)}</bdi>
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
    </li>
  );
}
