import { Button, InputGroup, Tag } from '@blueprintjs/core';
import { EnvelopeIcon, NewPersonIcon, SearchIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { memo, useCallback, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { NewAccountLink } from '#backend/contract/account-link.ts';
import type { PublicUser } from '#backend/contract/user.ts';
import { StatusTag } from '#renderer/alerts/card/card-parts.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ADMIN_PANEL } from '#renderer/lib/paths.ts';
import { noteSearchField } from '#renderer/lib/search-target.ts';
import { formatDate, formatExactTime } from '#renderer/lib/times.ts';
import { ROLE_LABELS } from '#renderer/session/role-labels.ts';
import { useSession } from '#renderer/session/session.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { RequiredFor } from './required-for.tsx';
import { TokenLife } from './token-life.tsx';
import { ResetSecondStepDialog } from './reset-second-step-dialog.tsx';
import { InviteDialog, LinkDialog } from './link-dialogs.tsx';
import { PendingLinks } from './pending-links.tsx';
import { CreateUserDialog, ResetPasswordDialog } from './user-dialogs.tsx';
import { DisableDialog } from './disable-dialog.tsx';
import { BREAK_GLASS_REASON, MemberDialog } from './member-dialog.tsx';
import { matching, useOpenAlerts, useToggleWithUndo, usersQuery } from './users.ts';
import classNames from 'classnames';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './users-page.module.css';

/** User Management: the accounts, their roles and their state. `?invite` opens the form for an invitation. */
export function UsersPage() {
  const { id: me } = useSession();
  const { data: users, error, refetch } = useQuery(usersQuery);
  const [search, setSearch] = useState('');
  // What is typed is there at once, also over thousands of rows.
  const searched = useDeferredValue(search);
  const shown = matching(users ?? [], searched);
  const { toggle, busyId } = useToggleWithUndo();
  const creating = useDialog();
  const inviting = useDialog();
  const resetting = useDialog<PublicUser>();
  const resettingStep = useDialog<PublicUser>();
  const editing = useDialog<PublicUser>();
  const disabling = useDialog<{ user: PublicUser; openAlerts: number }>();
  const askOpenAlerts = useOpenAlerts();
  const { open: askBefore } = disabling;
  /** Accounts whose change has begun: a second click is of a drawing that does not know. */
  const changing = useRef(new Set<string>());
  const changeState = useCallback(
    (user: PublicUser): void => {
      const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
      const askOrToggle = async (): Promise<void> => {
        if (changing.current.has(user.id)) return;
        changing.current.add(user.id);
        const openAlerts = user.isActive ? await askOpenAlerts(user) : 0;
        if (openAlerts === 0) await toggle(user);
        else if (openAlerts !== undefined) askBefore({ user, openAlerts }, opener);
        changing.current.delete(user.id);
      };
      void askOrToggle();
    },
    [toggle, askOpenAlerts, askBefore],
  );
  const showing = useDialog<NewAccountLink>();
  const [params, setParams] = useSearchParams();
  const isAskedFor = params.has('invite');
  const { open } = inviting;
  useEffect(() => {
    if (!isAskedFor) return;
    setParams({}, { replace: true });
    open(true);
  }, [isAskedFor, setParams, open]);

  return (
    <div className={pageHeadStyles.page}>
      <PageHead
        title={texts.userManagement}
        parent={ADMIN_PANEL}
        count={users?.length}
        countLabel={users?.length === 1 ? texts.user : texts.totalUsers}
      >
        {users !== undefined && (
          <InputGroup
            className={styles.search}
            type="search"
            inputRef={noteSearchField}
            leftElement={<SearchIcon className={styles.searchIcon} />}
            placeholder={texts.searchUsers}
            aria-label={texts.searchUsers}
            aria-keyshortcuts="/"
            value={search}
            onValueChange={setSearch}
          />
        )}
        <Button
          className={pageHeadStyles.action}
          icon={<EnvelopeIcon />}
          text={texts.invite}
          aria-haspopup="dialog"
          onClick={() => inviting.open(true)}
        />
        <Button
          className={pageHeadStyles.action}
          intent="primary"
          icon={<NewPersonIcon />}
          text={texts.createUser}
          aria-haspopup="dialog"
          onClick={() => creating.open(true)}
        />
      </PageHead>
      <div className={panelStyles.pageBody}>
        <RequiredFor />
        <TokenLife />
        {users ? (
          <HoverTip className={styles.users}>
            <PendingLinks onMade={showing.open} />
            {shown.length === 0 ? (
              <EmptyState
                icon={<SearchIcon size={40} />}
                title={texts.noUsersMatch(searched.trim())}
                text={texts.usersSearchHint}
                action={<Button text={pageTexts.clearSearch} onClick={() => setSearch('')} />}
              />
            ) : (
              <ul className={`${panelStyles.rows} ${panelStyles.rows_sheet}`} aria-label={texts.users}>
                {shown.map((user) => (
                  <UserRow
                    key={user.id}
                    user={user}
                    isMe={user.id === me}
                    isBusy={user.id === busyId}
                    onToggle={changeState}
                    onEdit={editing.open}
                    onReset={resetting.open}
                    onResetStep={resettingStep.open}
                  />
                ))}
              </ul>
            )}
          </HoverTip>
        ) : error ? (
          <LoadError what={texts.users} error={error} onRetry={() => void refetch()} />
        ) : (
          <RowsSkeleton label={texts.usersInText} isSheet />
        )}
      </div>
      {creating.shown && <CreateUserDialog key={creating.shown.key} presence={creating.shown.presence} />}
      {disabling.shown && (
        <DisableDialog
          key={disabling.shown.key}
          {...disabling.shown.subject}
          presence={disabling.shown.presence}
          onDisable={(user) => void toggle(user)}
        />
      )}
      {inviting.shown && (
        <InviteDialog key={`invite ${inviting.shown.key}`} presence={inviting.shown.presence} onMade={showing.open} />
      )}
      {showing.shown && (
        // It opens while the dialog before it fades: their keys must differ.
        <LinkDialog key={`link ${showing.shown.key}`} made={showing.shown.subject} presence={showing.shown.presence} />
      )}
      {resetting.shown && (
        <ResetPasswordDialog
          key={resetting.shown.key}
          user={resetting.shown.subject}
          presence={resetting.shown.presence}
          onMade={showing.open}
        />
      )}
      {editing.shown && (
        <MemberDialog
          key={`edit ${editing.shown.key}`}
          user={editing.shown.subject}
          isMe={editing.shown.subject.id === me}
          presence={editing.shown.presence}
        />
      )}
      {resettingStep.shown && (
        <ResetSecondStepDialog
          key={`step ${resettingStep.shown.key}`}
          user={resettingStep.shown.subject}
          presence={resettingStep.shown.presence}
        />
      )}
    </div>
  );
}

interface UserRowProps {
  user: PublicUser;
  /** Whether this is who is looking. */
  isMe: boolean;
  /** A change is in flight. */
  isBusy: boolean;
  onToggle: (user: PublicUser) => void;
  onEdit: (user: PublicUser) => void;
  onReset: (user: PublicUser) => void;
  onResetStep: (user: PublicUser) => void;
}

/** Why one's own account keeps its state: the server says the same. */
const OWN_ACCOUNT_REASON = texts.ownAccountReason;

/** A member: name, role, state, date of creation. */
const UserRow = memo(function UserRow({ user, isMe, isBusy, onToggle, onEdit, onReset, onResetStep }: UserRowProps) {
  const nameId = useId();
  const reasonId = useId();
  const ownId = useId();
  // What the server would refuse; why is said beside the badge.
  const { isBreakGlass } = user;
  const locked = {
    ...(isBreakGlass && { className: styles.locked }),
    'aria-describedby': isBreakGlass ? `${nameId} ${reasonId}` : nameId,
    'aria-disabled': isBreakGlass || undefined,
  };
  const createdAt = new Date(user.createdAt);
  return (
    <li className={styles.userCard} aria-labelledby={nameId}>
      <div className={styles.who}>
        <span className={styles.name} id={nameId} dir="auto" data-tip={inertLine(user.displayName)}>
          {inertLine(user.displayName)}
        </span>
        <span className={styles.email} data-tip={inertLine(user.email)}>
          <bdi>{inertLine(user.email)}</bdi>
        </span>
        {isBreakGlass && (
          <span className={styles.reason} id={reasonId}>
            {texts.breakGlassHint(BREAK_GLASS_REASON)}
          </span>
        )}
      </div>
      <div className={styles.badges}>
        <Tag minimal className={styles.role}>
          {ROLE_LABELS[user.role]}
        </Tag>
        <StatusTag
          status={user.isActive ? 'accepted' : 'pending'}
          label={user.isActive ? texts.active : texts.disabled}
        />
        {user.hasSecondStep && <span className={panelStyles.badge}>{texts.twoStep}</span>}
        {isBreakGlass && <span className={panelStyles.badge}>{texts.breakGlass}</span>}
        {isMe && <span className={panelStyles.badge}>{texts.you}</span>}
      </div>
      <div className={styles.created}>
        {texts.createdTime(
          <time dateTime={user.createdAt} data-tip={formatExactTime(createdAt)} data-tip-always>
            {formatDate(createdAt)}
          </time>,
        )}
      </div>
      <div className={styles.actions}>
        <Button text={texts.edit} aria-describedby={nameId} aria-haspopup="dialog" onClick={() => onEdit(user)} />
        {user.hasSecondStep && (
          <Button
            text={texts.resetTwoStep}
            {...locked}
            aria-haspopup="dialog"
            onClick={() => !isBreakGlass && onResetStep(user)}
          />
        )}
        <Button
          text={texts.resetPassword}
          {...locked}
          aria-haspopup="dialog"
          onClick={() => !isBreakGlass && onReset(user)}
        />
        <Button
          {...locked}
          className={classNames(styles.toggle, (isBreakGlass || isMe) && styles.locked)}
          text={user.isActive ? texts.disable : texts.enable}
          aria-disabled={isBusy || isBreakGlass || isMe || undefined}
          {...(isMe && {
            'aria-describedby': `${locked['aria-describedby']} ${ownId}`,
            'data-tip': OWN_ACCOUNT_REASON,
            'data-tip-always': true,
          })}
          onClick={() => !isBusy && !isBreakGlass && !isMe && onToggle(user)}
        />
        {isMe && (
          <span id={ownId} hidden>
            {OWN_ACCOUNT_REASON}
          </span>
        )}
      </div>
    </li>
  );
});
