import { Button } from '@blueprintjs/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useSearchParams } from 'react-router-dom';
import {
  type ChatAccount,
  chatAccountListSchema,
  chatAccountSchema,
  chatOfferSchema,
} from '#backend/contract/chat-account.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatDate } from '#renderer/lib/times.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { passFocus } from '#renderer/ui/pass-focus.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import * as texts from './chat-texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './account-page.module.css';

const PATH = '/api/account/chat-accounts';

const chatAccountsQuery = queryOptions<ChatAccount[]>({
  queryKey: [PATH],
  queryFn: ({ signal }) => apiGet(PATH, chatAccountListSchema, { signal }),
  refetchOnMount: 'always',
});

/** The last one, and the answer to a link, go with the panel. */
const leaveFocus = passFocus(() => document.querySelector('main'));

/** Accounts of chats by which the member acts, and the one that a link from a chat is about. Without either there is nothing. */
export function ChatAccountsPanel() {
  const [params, setParams] = useSearchParams();
  const code = params.get('connect');
  const { data } = useQuery(chatAccountsQuery);
  const client = useQueryClient();
  const toasts = useToasts();
  const disconnect = useMutation({
    mutationFn: ({ id }: ChatAccount) => deleteAt(`${PATH}/${encodeURIComponent(id)}`),
    onSuccess: (_, { service }) =>
      toasts.show({ intent: 'done', title: texts.accountDisconnected(texts.SERVICES[service]) }),
    onError: ({ message }) =>
      toasts.show({ variant: 'destructive', title: texts.failedToDisconnect, description: message }),
    onSettled: () => client.invalidateQueries({ queryKey: [PATH] }),
  });
  const forget = (): void => setParams({}, { replace: true });
  if (code === null && (data ?? []).length === 0) return null;
  return (
    <Panel title={texts.chatAccounts} hint={texts.chatAccountsHint}>
      <div ref={leaveFocus}>
        {code !== null && <Offer code={code} onDone={forget} />}
        <ul className={panelStyles.rows} aria-label={texts.chatAccounts}>
          {data?.map((account) => (
            <AccountRow
              key={account.id}
              account={account}
              onDisconnect={() => disconnect.isPending || disconnect.mutate(account)}
            />
          ))}
        </ul>
      </div>
    </Panel>
  );
}

/** The account that a link is about, and the question whether it is the member's own. */
function Offer({ code, onDone }: { code: string; onDone: () => void }) {
  const client = useQueryClient();
  const toasts = useToasts();
  const offer = useQuery({
    queryKey: [PATH, 'offer', code],
    queryFn: () => apiSend('POST', `${PATH}/offer`, { body: { code }, schema: chatOfferSchema }),
    retry: false,
  });
  const connect = useMutation({
    mutationFn: () => apiSend('POST', PATH, { body: { code }, schema: chatAccountSchema }),
    onSuccess: async ({ service }) => {
      toasts.show({ intent: 'done', title: texts.accountConnected(texts.SERVICES[service]) });
      await client.invalidateQueries({ queryKey: [PATH] });
      onDone();
    },
  });
  const failure = offer.error ?? connect.error;
  const { data } = offer;
  return (
    <div className={styles.offer}>
      {data && <p>{texts.offerQuestion(texts.SERVICES[data.service], inertLine(data.accountName))}</p>}
      <output className={styles.offerFailure} hidden={!failure}>
        {failure?.message}
      </output>
      <div className={styles.offerActions}>
        {data && (
          <Button intent="primary" text={texts.connect} loading={connect.isPending} onClick={() => connect.mutate()} />
        )}
        <Button text={data ? texts.notMine : texts.close} onClick={onDone} />
      </div>
    </div>
  );
}

function AccountRow({ account, onDisconnect }: { account: ChatAccount; onDisconnect: () => void }) {
  const nameId = useId();
  const { service, place, accountName, isByEmail, createdAt } = account;
  return (
    <li className={`${panelStyles.row} ${styles.session}`} aria-labelledby={nameId}>
      <span className={styles.sessionWords}>
        <span className={styles.sessionName}>
          <span id={nameId}>{texts.accountName(texts.SERVICES[service], <bdi>{inertLine(accountName)}</bdi>)}</span>
        </span>
        <span className={styles.sessionUse}>
          {texts.howConnected(<bdi>{inertLine(place)}</bdi>, isByEmail, formatDate(new Date(createdAt)))}
        </span>
      </span>
      <Button text={texts.disconnect} aria-describedby={nameId} onClick={onDisconnect} />
    </li>
  );
}
