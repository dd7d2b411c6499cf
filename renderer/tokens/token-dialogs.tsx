import { HTMLSelect, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CreatedApiToken, TOKEN_SCOPES, type TokenScope } from '#backend/contract/api-token.ts';
import type { Role } from '#backend/contract/session.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useSession } from '#renderer/session/session.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog, FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { type ListedToken, SCOPES, type TokenKind, tokenRuleQuery, useCreateToken, useRevokeToken } from './tokens.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from '#renderer/ui/form-dialog/form-dialog.module.css';

/** How long a token may work; the first that the rule lets through is offered. */
const LIVES = [
  { value: '90', label: pageTexts.days(90) },
  { value: '30', label: pageTexts.days(30) },
  { value: '365', label: texts.oneYear },
  { value: '', label: texts.untilItIsRevoked },
];

/** Those of {@link LIVES} that the rule lets through; its own where it is shorter than all. */
function livesWithin(maxDays: number | null): typeof LIVES {
  if (maxDays === null) return LIVES;
  const allowed = LIVES.filter(({ value }) => value !== '' && Number(value) <= maxDays);
  const own = { value: String(maxDays), label: `${maxDays} ${maxDays === 1 ? 'day' : 'days'}` };
  return allowed.some(({ value }) => value === own.value) ? allowed : [...allowed, own];
}

/** What a service sees. */
const SERVICE_ROLES: { value: Role; label: string }[] = [
  { value: 'user', label: texts.inboxAndItsOwnAlerts },
  { value: 'super_user', label: texts.everyAlert },
  { value: 'admin', label: texts.everyAlertAndAdministration },
];

interface NewTokenDialogProps {
  kind: TokenKind;
  presence: DialogPresence;
  /** Given the new token, for the one time that it can be shown. */
  onCreated: (token: CreatedApiToken) => void;
}

/** Creates a token; the button is disabled without a name. */
export function NewTokenDialog({ kind, presence, onCreated }: NewTokenDialogProps) {
  const session = useSession();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<TokenScope>('read');
  const [role, setRole] = useState<Role>('user');
  const { data: rule } = useQuery(tokenRuleQuery);
  const lives = livesWithin(rule?.maxDays ?? null);
  const [chosen, setDays] = useState('90');
  const days = lives.some(({ value }) => value === chosen) ? chosen : (lives[0]?.value ?? '');
  const create = useCreateToken(kind);
  const toasts = useToasts();
  const isService = kind === 'service';
  // Somebody who manages nothing has no use for the scope of those who do. A wallboard belongs to nobody.
  const scopes = TOKEN_SCOPES.filter(
    (one) => (one !== 'admin' || session.role === 'admin') && (one !== 'wallboard' || isService),
  );
  const roleOf = { wallboard: 'super_user', read: role, triage: role, admin: 'admin' } as const;

  const submit = (): void => {
    const token = { name: name.trim(), scope, expiresInDays: days === '' ? null : Number(days) };
    create.mutate(isService ? { ...token, role: roleOf[scope] } : token, {
      onSuccess: (created) => {
        presence.onClose();
        onCreated(created);
      },
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: texts.failedToCreateToken, description: message }),
    });
  };

  return (
    <FormDialog
      title={isService ? texts.newServiceToken : texts.newApiToken}
      subtitle={isService ? texts.forProgramThatActsUnder : texts.forProgramThatActsOn}
      presence={presence}
      isMakingSecret={create.isPending}
      onSubmit={submit}
      submit={{
        text: texts.createToken,
        pendingText: 'Creating...',
        isPending: create.isPending,
        isDisabled: name.trim() === '',
      }}
    >
      <FormField label={pageTexts.name}>
        {(ids) => (
          <InputGroup
            {...ids}
            autoComplete="off"
            maxLength={100}
            placeholder={isService ? texts.escalationBot : texts.nightlyExport}
            value={name}
            onValueChange={setName}
          />
        )}
      </FormField>
      <FormField label={texts.scope} hint={SCOPES[scope].text}>
        {(ids) => (
          <HTMLSelect
            {...ids}
            fill
            options={scopes.map((value) => ({ value, label: SCOPES[value].name }))}
            value={scope}
            onChange={({ target }) => setScope(scopes.find((one) => one === target.value) ?? 'read')}
          />
        )}
      </FormField>
      {isService && (scope === 'read' || scope === 'triage') && (
        <FormField label={texts.sees}>
          {(ids) => (
            <HTMLSelect
              {...ids}
              fill
              options={SERVICE_ROLES.filter(({ value }) => value !== 'admin')}
              value={role}
              onChange={({ target }) => setRole(target.value === 'super_user' ? 'super_user' : 'user')}
            />
          )}
        </FormField>
      )}
      <FormField label={texts.validFor}>
        {(ids) => (
          <HTMLSelect {...ids} fill options={lives} value={days} onChange={({ target }) => setDays(target.value)} />
        )}
      </FormField>
    </FormDialog>
  );
}

interface RevokeTokenDialogProps {
  kind: TokenKind;
  token: ListedToken;
  presence: DialogPresence;
}

/** Asks before a token is revoked, because that cannot be undone. */
export function RevokeTokenDialog({ kind, token, presence }: RevokeTokenDialogProps) {
  const revoke = useRevokeToken(kind);
  const toasts = useToasts();

  const submit = (): void =>
    revoke.mutate(token.id, {
      onSuccess: () => {
        presence.onClose();
      },
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: texts.failedToRevokeToken, description: message }),
    });

  return (
    <FormDialog
      title={texts.revokeToken}
      presence={presence}
      onSubmit={submit}
      submit={{ text: texts.revoke, pendingText: 'Revoking...', isPending: revoke.isPending, intent: 'danger' }}
    >
      <p className={styles.question}>{texts.revokeHint(<strong>{inertLine(token.name)}</strong>, kind)}</p>
    </FormDialog>
  );
}
