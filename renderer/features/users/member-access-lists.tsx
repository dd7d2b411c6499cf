import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { ApiToken } from '#backend/contract/api-token.ts';
import type { OwnSession } from '#backend/contract/account.ts';
import type { PublicUser } from '#backend/contract/user.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatLastSeen } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { SCOPES, tokenLife } from '#renderer/tokens/tokens.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { LoadError } from '#renderer/ui/empty-state.tsx';
import { keepFocus } from '#renderer/ui/keep-focus.ts';
import { memberAccessQuery, useEndAccess } from './member-access.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './member-access-lists.module.css';

/** Where a member is signed in, and the API tokens that act for them, each with the button that ends it. */
export function MemberAccessLists({ user }: { user: PublicUser }) {
  const { data: access, error, refetch } = useQuery(memberAccessQuery(user.id));
  const end = useEndAccess(user.id);
  const toasts = useToasts();
  const sessionsId = useId();
  const tokensId = useId();

  const endOne = (what: string, title: string): void => {
    if (end.isPending) return;
    end.mutate(what, {
      onSuccess: () => toasts.show({ intent: 'done', title, description: inertLine(user.displayName) }),
      onError: ({ message }) =>
        toasts.show({ variant: 'destructive', title: texts.failedToEndAccess, description: message }),
    });
  };
  if (!access) {
    return error ? (
      <LoadError what={texts.sessionsAndTokens} error={error} onRetry={() => void refetch()} />
    ) : (
      <output className={styles.none}>{texts.loadingSessionsAndTokens}</output>
    );
  }
  const { sessions, tokens } = access;
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  return (
    <>
      <section ref={keepFocus} className={styles.access} aria-labelledby={sessionsId}>
        <div className={styles.head}>
          <h3 id={sessionsId}>{texts.sessions}</h3>
          {others.length > 1 && (
            <Button
              variant="minimal"
              text={texts.signOutEverywhere}
              onClick={() => endOne('sessions', texts.signedOutEverywhere)}
            />
          )}
        </div>
        {sessions.length === 0 && <p className={styles.none}>{texts.notSignedInAnywhere}</p>}
        <ul aria-labelledby={sessionsId}>
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              onEnd={() => endOne(`sessions/${encodeURIComponent(session.id)}`, texts.signedOutOf(session.device))}
            />
          ))}
        </ul>
      </section>
      <section ref={keepFocus} className={styles.access} aria-labelledby={tokensId}>
        <div className={styles.head}>
          <h3 id={tokensId}>{texts.apiTokens}</h3>
        </div>
        {tokens.length === 0 && <p className={styles.none}>{texts.noTokens}</p>}
        <ul aria-labelledby={tokensId}>
          {tokens.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              onRevoke={() => endOne(`tokens/${encodeURIComponent(token.id)}`, texts.apiTokenRevoked)}
            />
          ))}
        </ul>
      </section>
    </>
  );
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const id = useId();
  const { device, lastSeenAt, lastIp, isCurrent } = session;
  return (
    <li>
      <span className={styles.what}>
        <span id={id}>{device}</span>
        <span className={styles.when}>
          {texts.lastUsedAgo(formatLastSeen(new Date(lastSeenAt)))}
          {lastIp !== null && <> {texts.fromAddress(<bdi>{lastIp}</bdi>)}</>}
        </span>
      </span>
      {isCurrent ? (
        <span className={panelStyles.badge}>{pageTexts.thisBrowser}</span>
      ) : (
        <Button text={pageTexts.signOut} aria-describedby={id} onClick={onEnd} />
      )}
    </li>
  );
}

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const id = useId();
  const life = useNow((now) => tokenLife(token, now));
  return (
    <li>
      <span className={styles.what}>
        <span id={id} dir="auto">
          {inertLine(token.name)} ({SCOPES[token.scope].name})
        </span>
        <span className={styles.when}>{life}</span>
      </span>
      <Button text={texts.revoke} aria-describedby={id} onClick={onRevoke} />
    </li>
  );
}
