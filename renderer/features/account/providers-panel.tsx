import { Button } from '@blueprintjs/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { type Identities, type Identity, oidcAddressSchema } from '#backend/contract/oidc.ts';
import { ApiError, apiSend } from '#renderer/lib/api-client.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { formatDate } from '#renderer/lib/times.ts';
import { identitiesQuery } from '#renderer/second-step/second-step.ts';
import { rememberPage } from '#renderer/session/go-to-provider.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { ConfirmButton } from '#renderer/ui/confirm-button.tsx';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { type DialogPresence, useDialog } from '#renderer/ui/use-dialog.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as dialogStyles from '#renderer/ui/form-dialog/form-dialog.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as secondStepStyles from '#renderer/second-step/second-step.module.css';

/** Providers that the member links and unlinks. Servers without any show nothing. */
export function ProvidersPanel() {
  const { data } = useQuery(identitiesQuery);
  if (!data || data.identities.length + data.linkable.length === 0) return null;
  return (
    <Panel title={texts.signInWithProvider} hint={texts.linkProviderToSignIn}>
      <ProviderRows {...data} />
    </Panel>
  );
}

function ProviderRows({ identities, linkable }: Identities) {
  const client = useQueryClient();
  const toasts = useToasts();
  const fail = (title: string) => (error: Error) => {
    const description = error instanceof ApiError ? error.body : error.message;
    toasts.show({ variant: 'destructive', title, description });
  };
  const link = useMutation({
    mutationFn: (id: string) => apiSend('POST', `/api/auth/identities/${id}/link`, { schema: oidcAddressSchema }),
    onSuccess: ({ address }) => {
      rememberPage(PATHS.account);
      window.location.assign(address);
    },
    onError: fail(texts.failedToLinkProvider),
  });
  const unlink = useMutation({
    mutationFn: ({ id }: Identity) => deleteAt(`/api/auth/identities/${id}`),
    onSuccess: (_, identity) => toasts.show({ intent: 'done', title: texts.identityUnlinked(nameOf(identity)) }),
    onError: fail(texts.failedToUnlinkProvider),
    onSettled: () => client.invalidateQueries({ queryKey: identitiesQuery.queryKey }),
  });
  const asking = useDialog<Identity>();
  // Those of providers that are gone from the configuration let nobody in.
  const [last, ...others] = identities.filter(({ providerName }) => providerName !== null);
  const only = others.length === 0 ? last : undefined;
  return (
    <>
      <ul className={panelStyles.rows} aria-label={texts.providers}>
        {identities.map((identity) => (
          <Row
            key={identity.id}
            name={nameOf(identity)}
            detail={detailOf(identity)}
            action={{
              text: texts.unlink,
              ...(identity === only && { 'aria-haspopup': 'dialog' }),
              onClick: () => (identity === only ? asking.open(identity) : unlink.isPending || unlink.mutate(identity)),
            }}
          />
        ))}
        {linkable.map(({ id, name }) => (
          <Row
            key={id}
            name={inertLine(name)}
            detail={window.alertdesk ? texts.toLinkItOpenThis : texts.notLinked}
            {...(!window.alertdesk && {
              action: { text: texts.link, onClick: () => link.isPending || link.mutate(id) },
            })}
          />
        ))}
      </ul>
      {asking.shown && (
        <UnlinkDialog
          key={asking.shown.key}
          name={nameOf(asking.shown.subject)}
          presence={asking.shown.presence}
          onUnlink={() => asking.shown && unlink.mutate(asking.shown.subject)}
        />
      )}
    </>
  );
}

/** Asks before the last provider is unlinked: nobody knows whether the account has a password that its member knows. */
function UnlinkDialog({ name, presence, onUnlink }: { name: string; presence: DialogPresence; onUnlink: () => void }) {
  return (
    <DescribedDialog
      {...presence}
      className={dialogStyles.dialog}
      title={texts.unlinkQuestion(name)}
      subtitle={texts.unlinkHint}
      actions={
        <div className={dialogStyles.actions}>
          <Button text={pageTexts.cancel} onClick={presence.onClose} />
          <ConfirmButton presence={presence} intent="danger" text={texts.unlink} onConfirm={onUnlink} />
        </div>
      }
    >
      {null}
    </DescribedDialog>
  );
}

const nameOf = ({ providerName, provider }: Identity): string => inertLine(providerName ?? provider);

const detailOf = ({ email, createdAt, lastUsedAt }: Identity): string => {
  const used = lastUsedAt === null ? texts.neverUsed : texts.lastUsedAgo(formatDate(new Date(lastUsedAt)));
  return `${email === null ? '' : `${inertLine(email)}, `}linked ${formatDate(new Date(createdAt))}, ${used}`;
};

interface RowProps {
  name: string;
  detail: string;
  /** What can be done with it. */
  action?: { text: string; onClick: () => void; 'aria-haspopup'?: 'dialog' };
}

function Row({ name, detail, action }: RowProps) {
  const nameId = useId();
  return (
    <li className={`${panelStyles.row} ${secondStepStyles.secondStep}`} aria-labelledby={nameId}>
      <span className={secondStepStyles.secondStepWords}>
        <span className={secondStepStyles.secondStepName}>
          <bdi id={nameId}>{name}</bdi>
        </span>
        <span className={secondStepStyles.secondStepDetail}>{detail}</span>
      </span>
      <span className={secondStepStyles.secondStepActions}>
        {action && <Button {...action} aria-describedby={nameId} />}
      </span>
    </li>
  );
}
