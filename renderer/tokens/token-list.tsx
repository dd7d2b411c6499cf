import { Button } from '@blueprintjs/core';
import { KeyIcon, PlusIcon, TrashIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { CreatedApiToken } from '#backend/contract/api-token.ts';
import { WALLBOARD_PATH } from '#backend/contract/wallboard.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { ShownOnceDialog } from '#renderer/ui/form-dialog/shown-once-dialog.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { Panel, RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { NewTokenDialog, RevokeTokenDialog } from './token-dialogs.tsx';
import { type ListedToken, SCOPES, type TokenKind, tokenLife, tokensQuery } from './tokens.ts';
import classNames from 'classnames';
import * as texts from './texts.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './token-list.module.css';

const EMPTY: Record<TokenKind, string> = {
  own: texts.programsNeedTokenToCall,
  service: texts.programsNeedTokenToCallApi,
};

/** What a page or a panel shows of tokens: the button that makes one, and the list with its dialogs. */
export function useTokens(kind: TokenKind): { count: number | undefined; action: ReactNode; list: ReactNode } {
  const { data: tokens, error, refetch } = useQuery(tokensQuery(kind));
  const naming = useDialog();
  const created = useDialog<CreatedApiToken>();
  const revoking = useDialog<ListedToken>();
  const action = (
    <Button
      className={pageHeadStyles.action}
      intent={kind === 'service' ? 'primary' : 'none'}
      icon={<PlusIcon />}
      text={texts.newToken}
      aria-haspopup="dialog"
      onClick={() => naming.open(true)}
    />
  );
  const list = (
    <>
      <TokenRows kind={kind} tokens={tokens} error={error} onRetry={() => void refetch()} onRevoke={revoking.open} />
      {naming.shown && (
        <NewTokenDialog key={naming.shown.key} kind={kind} presence={naming.shown.presence} onCreated={created.open} />
      )}
      {created.shown && (
        <ShownOnceDialog
          title={texts.tokenCreated}
          {...shownOf(created.shown.subject)}
          presence={created.shown.presence}
        />
      )}
      {revoking.shown && (
        <RevokeTokenDialog
          key={revoking.shown.key}
          kind={kind}
          token={revoking.shown.subject}
          presence={revoking.shown.presence}
        />
      )}
    </>
  );
  return { count: tokens?.length, action, list };
}

/** My account: the API tokens that act for the member. */
export function TokensPanel() {
  const { action, list } = useTokens('own');
  return (
    <Panel title={texts.apiTokens} hint={texts.programsCallApiOnYour} actions={action}>
      {list}
    </Panel>
  );
}

interface TokenRowsProps {
  kind: TokenKind;
  tokens: ListedToken[] | undefined;
  error: Error | null;
  onRetry: () => void;
  onRevoke: (token: ListedToken) => void;
}

function TokenRows({ kind, tokens, error, onRetry, onRevoke }: TokenRowsProps) {
  const isSheet = kind === 'service';
  if (!tokens) {
    return error ? (
      <LoadError what={isSheet ? texts.serviceTokens : texts.apiTokensList} error={error} onRetry={onRetry} />
    ) : (
      <RowsSkeleton label={texts.tokens} isSheet={isSheet} />
    );
  }
  if (tokens.length === 0) {
    return isSheet ? (
      <EmptyState icon={<KeyIcon size={40} />} title={texts.noServiceTokensYet} text={EMPTY[kind]} />
    ) : (
      <p className={`${panelStyles.panelBody} ${styles.none}`}>{texts.noTokensYet(EMPTY[kind])}</p>
    );
  }
  return (
    <HoverTip>
      <ul
        className={classNames(panelStyles.rows, isSheet && panelStyles.rows_sheet)}
        aria-label={isSheet ? texts.serviceTokens : texts.apiTokensList}
      >
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={onRevoke} />
        ))}
      </ul>
    </HoverTip>
  );
}

const SEES: Partial<Record<string, string>> = { super_user: texts.everyAlertFact, admin: ' · administration' };

/** A token: its name and scope, until when it works and when it was used, and the button that revokes it. */
function TokenRow({ token, onRevoke }: { token: ListedToken; onRevoke: (token: ListedToken) => void }) {
  const nameId = useId();
  const life = useNow((now) => tokenLife(token, now));
  const name = inertLine(token.name);
  return (
    <li className={styles.token} aria-labelledby={nameId}>
      <span className={styles.name} id={nameId} dir="auto" data-tip={name}>
        {name}
      </span>
      <span className={styles.scope}>
        {SCOPES[token.scope].name}
        {token.role && SEES[token.role]}
      </span>
      <span className={styles.life}>{life}</span>
      <Button
        className={styles.revoke}
        variant="minimal"
        icon={<TrashIcon />}
        aria-label={texts.revokeTokenButton}
        aria-describedby={nameId}
        aria-haspopup="dialog"
        data-tip={texts.revokeTokenButton}
        data-tip-always
        onClick={() => onRevoke(token)}
      />
    </li>
  );
}

/** What is shown of a new token, once: that of a wallboard is a link, whose part behind `#` is sent to no server. */
const shownOf = ({ scope, plainToken }: CreatedApiToken) =>
  scope === 'wallboard'
    ? { what: texts.link, copyLabel: texts.copyLink, text: `${location.origin}${WALLBOARD_PATH}#${plainToken}` }
    : { what: texts.token, copyLabel: texts.copyToken, text: plainToken };
