import { Button, InputGroup } from '@blueprintjs/core';
import { CrossIcon } from '@blueprintjs/icons';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type OwnChannel, ownChannelSchema, ownChannelSentSchema } from '#backend/contract/own-channel.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { formatFieldTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { channelsQuery, pathOfChannel } from './own-channels.ts';
import * as texts from './own-channels-texts.ts';
import * as formStyles from '#renderer/ui/form-dialog/form-dialog.module.css';
import * as styles from './own-channels-panel.module.css';

interface ChannelProps {
  channel: OwnChannel;
  /** Asks whether it is to be removed. */
  onRemove: () => void;
}

/** One of my channels, and its code where it waits for that. */
export function Channel({ channel, onRemove }: ChannelProps) {
  const { id, kind, name, to, isConfirmed, health, reason, lastSentAt } = channel;
  const client = useQueryClient();
  const [code, setCode] = useState('');
  const [said, setSaid] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const label = inertLine(name);
  const used = useNow((now) =>
    lastSentAt === null ? texts.neverUsed : texts.lastUsed(formatFieldTime(new Date(lastSentAt), now)),
  );
  const run = async (work: () => Promise<string | undefined>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setSaid(undefined);
    try {
      setSaid(await work());
    } catch (error) {
      setSaid(messageOf(error));
    }
    await client.invalidateQueries(channelsQuery);
    setBusy(false);
  };
  const path = pathOfChannel(id);
  const confirm = async () => {
    await apiSend('POST', `${path}/confirm`, { body: { code }, schema: ownChannelSchema });
    return undefined;
  };
  const again = async () => (await apiSend('POST', `${path}/code`, { schema: ownChannelSentSchema })).message;
  const isTroubled = health === 'failing' || health === 'slowed';
  return (
    <li className={styles.channel}>
      <span className={styles.names}>
        <bdi className={styles.name}>{label}</bdi>
        <span className={styles.small}>
          {texts.KIND_NAMES[kind]}
          {to !== '' && `, ${inertLine(to)}`}
        </span>
      </span>
      <span className={isTroubled ? styles.fault : styles.small}>
        {!isConfirmed ? texts.waitsForItsCode : isTroubled ? inertLine(reason ?? texts.doNotGetThrough) : used}
      </span>
      <Button variant="minimal" icon={<CrossIcon />} aria-label={texts.remove(label)} onClick={onRemove} />
      {!isConfirmed && (
        <form
          className={styles.code}
          onSubmit={(event) => {
            event.preventDefault();
            void run(confirm);
          }}
        >
          <InputGroup
            aria-label={texts.codeOf(label)}
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="123456"
            maxLength={6}
            value={code}
            onValueChange={setCode}
          />
          <Button
            type="submit"
            text={texts.confirm}
            disabled={!/^\d{6}$/.test(code)}
            aria-disabled={isBusy || undefined}
          />
          <Button
            variant="minimal"
            text={texts.sendAnotherCode}
            aria-disabled={isBusy || undefined}
            onClick={() => void run(again)}
          />
        </form>
      )}
      <output className={styles.said} hidden={said === undefined}>
        {said}
      </output>
    </li>
  );
}

interface RemoveChannelDialogProps {
  channel: OwnChannel;
  presence: DialogPresence;
}

/** Asks before a channel is removed: it takes a proof and another code to have it back. */
export function RemoveChannelDialog({ channel: { id, name }, presence }: RemoveChannelDialogProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [isPending, setPending] = useState(false);
  const label = inertLine(name);
  const remove = async (): Promise<void> => {
    setPending(true);
    try {
      await deleteAt(pathOfChannel(id));
      presence.onClose();
      toasts.show({ intent: 'done', title: texts.channelRemoved, description: label });
    } catch (error) {
      setPending(false);
      toasts.show({ variant: 'destructive', title: texts.failedToRemoveChannel, description: messageOf(error) });
    }
    await client.invalidateQueries(channelsQuery);
  };
  return (
    <FormDialog
      title={texts.removeChannel}
      presence={presence}
      onSubmit={() => void remove()}
      submit={{ text: texts.removeAction, pendingText: texts.removing, isPending, intent: 'danger' }}
    >
      <p className={formStyles.question}>
        <strong>{label}</strong> {texts.nothingIsSentThere}
      </p>
    </FormDialog>
  );
}
