import { useState } from 'react';
import type { Role } from '#backend/contract/session.ts';
import type { UserChange } from '#backend/contract/member-access.ts';
import type { PublicUser } from '#backend/contract/user.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ROLE_LABELS } from '#renderer/session/role-labels.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { useChangeUser } from './member-access.ts';
import { MemberAccessLists } from './member-access-lists.tsx';
import { AccountFields, ROLES } from './user-dialogs.tsx';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';

interface MemberDialogProps {
  user: PublicUser;
  /** Whether this is who is looking: nobody changes their own role. */
  isMe: boolean;
  presence: DialogPresence;
}

/** The roles that somebody may get; what they are now is among them. */
const rolesOf = ({ role }: PublicUser, isMe: boolean): readonly { value: Role; label: string }[] => {
  const own = { value: role, label: ROLE_LABELS[role] };
  if (isMe) return [own];
  return role === 'super_user' ? [own, ...ROLES] : ROLES;
};

/** Why one's own role stays: the server says the same. */
const OWN_ROLE_REASON = texts.ownRoleReason;

/** Why nothing of the break-glass administrator is changed here. */
export const BREAK_GLASS_REASON = texts.breakGlassReason;

/** What another role does to somebody; said again as what is about to happen. */
const roleHintOf = (isChanged: boolean): string =>
  isChanged ? texts.saveSignsThemOutEverywhere : texts.changingRoleSignsThemOut;

/** E-mail, name and role of a member, and where they are signed in and what acts for them. */
export function MemberDialog({ user, isMe, presence }: MemberDialogProps) {
  const { email, displayName, role } = user;
  const [account, setAccount] = useState<{ email: string; displayName: string; role: Role }>({
    email,
    displayName,
    role,
  });
  const change = useChangeUser(user.id);
  const toasts = useToasts();
  const isSame = account.email === email && account.displayName === displayName && account.role === role;

  const submit = (): void => {
    const body: UserChange = {
      ...(account.email !== email && { email: account.email }),
      ...(account.displayName !== displayName && { displayName: account.displayName }),
      ...(account.role !== role && account.role !== 'super_user' && { role: account.role }),
    };
    change.mutate(body, {
      onSuccess: (changed) => {
        presence.onClose();
        toasts.show({
          intent: 'done',
          title: texts.userUpdated,
          description: `${inertLine(changed.displayName)}${changed.role === role ? '' : texts.roleChanged(ROLE_LABELS[changed.role])}`,
        });
      },
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: texts.failedToUpdateUser, description: message }),
    });
  };

  return (
    <FormDialog
      title={texts.editUser}
      subtitle={user.isBreakGlass ? texts.isBreakGlass(BREAK_GLASS_REASON) : texts.signInWithThisEmail(isMe)}
      presence={presence}
      onSubmit={submit}
      submit={{ text: pageTexts.save, pendingText: 'Saving...', isPending: change.isPending, isDisabled: isSame }}
    >
      <AccountFields
        account={account}
        roles={rolesOf(user, isMe)}
        isDisabled={user.isBreakGlass}
        roleHint={user.isBreakGlass ? undefined : isMe ? OWN_ROLE_REASON : roleHintOf(account.role !== role)}
        onChange={(part) => setAccount((before) => ({ ...before, ...part }))}
      />
      <MemberAccessLists user={user} />
    </FormDialog>
  );
}
