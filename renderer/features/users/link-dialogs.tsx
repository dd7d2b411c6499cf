import { Checkbox } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountLink, Invitation, NewAccountLink } from '#backend/contract/account-link.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { ShownOnceDialog } from '#renderer/ui/form-dialog/shown-once-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { optionsQuery, useMakeLink } from './links.ts';
import { AccountFields, ROLES } from './user-dialogs.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.tsx';

const EMPTY: Invitation = { email: '', displayName: '', role: 'user', isMailed: false };

interface MakeLinkProps {
  presence: DialogPresence;
  /** Given the new link, for the one time that it can be shown. */
  onMade: (made: NewAccountLink) => void;
}

/** Invites somebody: they choose their own password. */
export function InviteDialog({ presence, onMade }: MakeLinkProps) {
  const { data: options } = useQuery(optionsQuery);
  const hasMail = options?.hasMail === true;
  const [invitation, setInvitation] = useState(EMPTY);
  const [isMailed, setMailed] = useState(true);
  const make = useMakeLink();
  const toasts = useToasts();
  const change = (part: Partial<Invitation>): void => setInvitation((before) => ({ ...before, ...part }));

  const submit = (): void =>
    make.mutate(
      { to: 'invite', invitation: { ...invitation, isMailed: hasMail && isMailed } },
      {
        onSuccess: (made) => {
          presence.onClose();
          onMade(made);
        },
        onError: ({ message }) =>
          toasts.show({ variant: 'destructive', title: texts.failedToInvite, description: message }),
      },
    );

  return (
    <FormDialog
      title={texts.invite}
      subtitle={options?.hasPasswords === false ? texts.inviteAtProviderHint : texts.inviteHint}
      presence={presence}
      isMakingSecret={make.isPending}
      onSubmit={submit}
      submit={{ text: texts.invite, pendingText: 'Inviting...', isPending: make.isPending }}
    >
      <AccountFields roles={ROLES} account={invitation} onChange={change} />
      {hasMail && (
        <Checkbox
          label={texts.emailLinkToThem}
          checked={isMailed}
          onChange={({ currentTarget }) => setMailed(currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}

const TITLES: Record<AccountLink['kind'], string> = { invitation: texts.invitation, reset: texts.resetLink };

/** Shows a new link, once. While nobody has it, every way to leave asks first. */
export function LinkDialog({ made: { link, path }, presence }: { made: NewAccountLink; presence: DialogPresence }) {
  const isMailed = link.mail === 'queued';
  return (
    <ShownOnceDialog
      title={TITLES[link.kind]}
      what={texts.link}
      copyLabel={common.copyLink}
      text={new URL(path, window.location.href).href}
      note={<>{texts.linkHint(isMailed, <bdi>{inertLine(link.displayName)}</bdi>)}</>}
      isSent={isMailed}
      asksOnDone
      presence={presence}
    />
  );
}
