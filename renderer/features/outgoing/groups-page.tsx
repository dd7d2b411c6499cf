import { Button } from '@blueprintjs/core';
import { PeopleIcon, PlusIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router-dom';
import type { Group } from '#backend/contract/ladder.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ADMIN_PANEL } from '#renderer/lib/paths.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { PageTabs } from '#renderer/ui/page-head/page-tabs.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { groupsQuery } from './ladder-data.ts';
import { OUTGOING_PAGES, pathOfGroup } from './outgoing-labels.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './people-texts.ts';
import * as outgoingTexts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';
import * as ladderStyles from './ladder.module.css';

/** Groups of members that ladders notify. */
export function GroupsPage() {
  const { data: groups, error, refetch } = useQuery(groupsQuery);
  const navigate = useNavigate();
  return (
    <div className={`${pageHeadStyles.page} ${styles.outgoing}`}>
      <PageHead
        title={pageTexts.outgoing}
        parent={ADMIN_PANEL}
        count={groups?.length}
        countLabel={texts.groupNoun(groups?.length)}
      >
        <Button
          className={pageHeadStyles.action}
          intent="primary"
          icon={<PlusIcon />}
          text={texts.newGroup}
          onClick={() => void navigate(pathOfGroup('new'))}
        />
      </PageHead>
      <PageTabs isFirst label={pageTexts.outgoing} tabs={OUTGOING_PAGES} />
      <div className={panelStyles.pageBody}>
        {groups ? (
          groups.length > 0 ? (
            <ul className={`${panelStyles.rows} ${panelStyles.rows_sheet}`} aria-label={outgoingTexts.groups}>
              {groups.map((group) => (
                <GroupRow key={group.id} group={group} />
              ))}
            </ul>
          ) : (
            <EmptyState icon={<PeopleIcon size={40} />} title={texts.noGroupsYet} text={texts.noGroupsHint} />
          )
        ) : error ? (
          <LoadError what={outgoingTexts.groups} error={error} onRetry={() => void refetch()} />
        ) : (
          <RowsSkeleton label={texts.groupsInText} isSheet />
        )}
      </div>
    </div>
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
