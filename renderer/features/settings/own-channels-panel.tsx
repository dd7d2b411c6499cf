import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { PlusIcon } from '@blueprintjs/icons';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import {
  MAX_OWN_CHANNELS,
  type NewOwnChannel,
  type OwnChannel,
  type OwnChannelKind,
  type OwnChannelList,
  ownChannelSentSchema,
} from '#backend/contract/own-channel.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useIsShown } from '#renderer/lib/use-is-shown.ts';
import { useKeepPage } from '#renderer/ui/leave-guard.tsx';
import { messageOf } from '#renderer/lib/message-of.ts';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { Channel, RemoveChannelDialog } from './own-channel-row.tsx';
import { OWN_CHANNELS, channelsQuery } from './own-channels.ts';
import * as texts from './own-channels-texts.ts';
import * as styles from './own-channels-panel.module.css';

type Field = Exclude<keyof NewOwnChannel, 'kind' | 'name'>;

/** The fields that each kind has. */
const FIELDS: Record<OwnChannelKind, Partial<Record<Field, string>>> = {
  ntfy: { url: texts.server, topic: texts.topic, token: texts.accessToken },
  gotify: { url: texts.server, token: texts.applicationToken },
  telegram: { url: texts.server, room: texts.chatId, token: texts.botToken },
  webhook: { url: texts.address },
  mail: {},
  phone: { gatewayId: texts.gateway, number: texts.phoneNumber },
};

const FIRST_URL: Partial<Record<OwnChannelKind, string>> = {
  ntfy: 'https://ntfy.sh',
  telegram: 'https://api.telegram.org',
};

const INPUT_TYPES: Partial<Record<Field, string>> = { token: 'password', number: 'tel' };

const ORDER = Object.keys(FIELDS) as OwnChannelKind[];

/** My own channels: by what steps of rules notify me, beside pages and push. */
export function OwnChannelsPanel() {
  const query = useQuery(channelsQuery);
  const [isAdding, setAdding] = useState(false);
  const [said, setSaid] = useState<string>();
  const removing = useDialog<OwnChannel>();
  const { data } = query;
  return (
    <Panel title={texts.ownChannels} hint={texts.hint}>
      <WhenLoaded what={texts.ownChannels} queries={[query]}>
        <ul className={panelStyles.rows} aria-label={texts.ownChannels}>
          {data?.channels.map((channel) => (
            <Channel key={channel.id} channel={channel} onRemove={() => removing.open(channel)} />
          ))}
        </ul>
        {isAdding ? (
          <NewChannel
            isMailConfigured={data?.isMailConfigured === true}
            gateways={data?.gateways ?? []}
            onSent={setSaid}
            onDone={() => setAdding(false)}
          />
        ) : (
          <div className={styles.foot}>
            <output className={styles.said} hidden={said === undefined}>
              {said}
            </output>
            <Button
              icon={<PlusIcon />}
              text={texts.addChannel}
              disabled={(data?.channels.length ?? 0) >= MAX_OWN_CHANNELS}
              onClick={() => {
                setSaid(undefined);
                setAdding(true);
              }}
            />
          </div>
        )}
      </WhenLoaded>
      {removing.shown && (
        <RemoveChannelDialog
          key={removing.shown.key}
          channel={removing.shown.subject}
          presence={removing.shown.presence}
        />
      )}
    </Panel>
  );
}

interface NewChannelProps {
  isMailConfigured: boolean;
  gateways: OwnChannelList['gateways'];
  /** With what became of the message with the code, also of a form that was canceled meanwhile. */
  onSent: (message: string) => void;
  onDone: () => void;
}

function NewChannel({ isMailConfigured, gateways, onSent, onDone }: NewChannelProps) {
  const id = useId();
  const client = useQueryClient();
  const [kind, setKind] = useState<OwnChannelKind>('ntfy');
  const [name, setName] = useState('');
  const [fields, setFields] = useState<Partial<Record<Field, string>>>({ url: FIRST_URL.ntfy ?? '' });
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const isShown = useIsShown();
  useKeepPage(true);
  const choose = (chosen: OwnChannelKind): void => {
    setKind(chosen);
    setFields(chosen === 'phone' ? { gatewayId: gateways[0]?.id ?? '' } : { url: FIRST_URL[chosen] ?? '' });
  };
  const add = async (): Promise<void> => {
    setPending(true);
    setFailure(undefined);
    const written = Object.fromEntries(
      (Object.keys(FIELDS[kind]) as Field[]).flatMap((field) => (fields[field] ? [[field, fields[field]]] : [])),
    );
    try {
      const sent = await apiSend('POST', OWN_CHANNELS, {
        body: { kind, name, ...written },
        schema: ownChannelSentSchema,
      });
      await client.invalidateQueries(channelsQuery);
      onSent(sent.message);
      // Another channel may be written by now.
      if (isShown()) onDone();
    } catch (error) {
      setFailure(messageOf(error));
      setPending(false);
    }
  };
  return (
    <form
      className={styles.form}
      aria-label={texts.newChannel}
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label htmlFor={`${id}-kind`}>{texts.kind}</label>
      <HTMLSelect
        id={`${id}-kind`}
        value={kind}
        options={ORDER.filter(
          (one) => (one !== 'mail' || isMailConfigured) && (one !== 'phone' || gateways.length > 0),
        ).map((value) => ({
          value,
          label: texts.KIND_NAMES[value],
        }))}
        onChange={({ currentTarget }) => choose(currentTarget.value as OwnChannelKind)}
      />
      <label htmlFor={`${id}-name`}>{texts.name}</label>
      <InputGroup
        id={`${id}-name`}
        value={name}
        maxLength={100}
        placeholder={texts.namePlaceholder}
        onValueChange={(text) => setName(text)}
      />
      {(Object.entries(FIELDS[kind]) as [Field, string][]).map(([field, label]) => (
        <div key={field} className={styles.field}>
          <label htmlFor={`${id}-${field}`}>{label}</label>
          {field === 'gatewayId' ? (
            <HTMLSelect
              id={`${id}-${field}`}
              value={fields.gatewayId ?? ''}
              options={gateways.map((one) => ({ value: one.id, label: inertLine(one.name) }))}
              onChange={({ currentTarget }) => setFields((now) => ({ ...now, gatewayId: currentTarget.value }))}
            />
          ) : (
            <InputGroup
              id={`${id}-${field}`}
              type={INPUT_TYPES[field] ?? 'text'}
              autoComplete={field === 'number' ? 'tel' : 'off'}
              value={fields[field] ?? ''}
              maxLength={2_000}
              onValueChange={(text) => setFields((now) => ({ ...now, [field]: text }))}
            />
          )}
        </div>
      ))}
      <output className={styles.failure} hidden={failure === undefined}>
        {failure}
      </output>
      <div className={styles.tools}>
        <Button
          type="submit"
          intent="primary"
          text={texts.sendCode}
          loading={isPending}
          disabled={name.trim() === ''}
        />
        <Button text={texts.cancel} onClick={onDone} />
      </div>
    </form>
  );
}
