import { Button } from '@blueprintjs/core';
import { NewPersonIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { PublicUser } from '#backend/contract/user.ts';
import { useSession } from '#renderer/lib/session.ts';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { LoadError } from '#renderer/ui/load-error.tsx';
import { ADMIN_PANEL } from '#renderer/lib/admin-panel.ts';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/rows-skeleton.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { CreateUserDialog } from './create-user-dialog.tsx';
import { usersQuery } from './get-users.ts';
import { ResetPasswordDialog } from './reset-password-dialog.tsx';
import { useToggleWithUndo } from './use-toggle-with-undo.ts';
import { UserRow } from './user-row.tsx';
import './users-page.css';

/** User Management: the accounts, their roles and their state. */
export function UsersPage() {
  const { id: me } = useSession();
  const { data: users, error, refetch } = useQuery(usersQuery);
  const { toggle, busyId } = useToggleWithUndo();
  const creating = useDialog();
  const resetting = useDialog<PublicUser>();

  return (
    <div className="ad-page">
      <PageHead
        title="User Management"
        parent={ADMIN_PANEL}
        count={users?.length}
        words={users?.length === 1 ? 'user' : 'total users'}
      >
        <Button
          className="ad-page-action"
          intent="primary"
          icon={<NewPersonIcon />}
          text="Create User"
          aria-haspopup="dialog"
          onClick={() => creating.open(true)}
        />
      </PageHead>
      <div className="ad-page-body">
        {users ? (
          <HoverTip>
            <ul className="ad-rows ad-rows--sheet" aria-label="Users">
              {users.map((user) => (
                <UserRow
                  key={user.id}
                  user={user}
                  isMe={user.id === me}
                  isBusy={user.id === busyId}
                  onToggle={toggle}
                  onReset={resetting.open}
                />
              ))}
            </ul>
          </HoverTip>
        ) : error ? (
          <LoadError what="Users" error={error} onRetry={() => void refetch()} />
        ) : (
          <RowsSkeleton label="users" isSheet />
        )}
      </div>
      {creating.shown && <CreateUserDialog key={creating.shown.key} presence={creating.shown.presence} />}
      {resetting.shown && (
        <ResetPasswordDialog
          key={resetting.shown.key}
          user={resetting.shown.subject}
          presence={resetting.shown.presence}
        />
      )}
    </div>
  );
}
