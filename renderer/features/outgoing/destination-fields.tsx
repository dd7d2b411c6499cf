import { Button, HTMLSelect, InputGroup, TagInput } from '@blueprintjs/core';
import { type ReactNode, useId } from 'react';
import { type Destination, type DestinationKind, destinationKindSchema } from '#backend/contract/outgoing.ts';
import { formatCardTime } from '#renderer/lib/times.ts';
import { type WrittenDestination, withKind } from './destination-form.ts';
import { KIND_TEXTS } from './kind-fields.ts';
import * as styles from './outgoing.module.css';

interface FieldsProps {
  before: Destination | undefined;
  isMailConfigured: boolean;
  written: WrittenDestination;
  change: (some: Partial<WrittenDestination>) => void;
  onRotate: () => void;
}

/** The settings of a destination, as its kind has them. */
export function DestinationFields({ written, before, isMailConfigured, change, onRotate }: FieldsProps) {
  const { kind } = written;
  const has = KIND_TEXTS[kind];
  const kinds = destinationKindSchema.options.filter((one) => one !== 'mail' || isMailConfigured);
  const kept = before?.secretHint ? `Kept, ends with ${before.secretHint}` : undefined;
  return (
    <>
      {!before && (
        <Row label="Kind" hint={has.hint}>
          {(id) => (
            <HTMLSelect
              id={id}
              value={kind}
              options={kinds.map((value) => ({ value, label: KIND_TEXTS[value].name }))}
              onChange={({ currentTarget }) => change(withKind(written, currentTarget.value as DestinationKind))}
            />
          )}
        </Row>
      )}
      <Row label="Name">
        {(id) => <InputGroup id={id} value={written.name} maxLength={100} onValueChange={(name) => change({ name })} />}
      </Row>
      {has.url && (
        <Row label={has.url.label} hint={has.url.hint}>
          {(id) => (
            <InputGroup
              id={id}
              type="url"
              value={written.url}
              maxLength={2_000}
              placeholder={(has.hasSecretAddress && kept) || (has.url?.placeholder ?? 'https://')}
              onValueChange={(url) => change({ url })}
            />
          )}
        </Row>
      )}
      {has.topic && (
        <Row label={has.topic.label}>
          {(id) => (
            <InputGroup id={id} value={written.topic} maxLength={64} onValueChange={(topic) => change({ topic })} />
          )}
        </Row>
      )}
      {has.account && (
        <Row label={has.account.label} hint={has.account.hint}>
          {(id) => (
            <InputGroup
              id={id}
              type="email"
              autoComplete="off"
              value={written.account}
              maxLength={254}
              onValueChange={(account) => change({ account })}
            />
          )}
        </Row>
      )}
      {has.token && (
        <Row label={has.token.label} hint={has.token.hint}>
          {(id) => (
            <InputGroup
              id={id}
              type="password"
              autoComplete="off"
              value={written.token}
              maxLength={500}
              placeholder={kept ?? ''}
              onValueChange={(token) => change({ token })}
            />
          )}
        </Row>
      )}
      {has.room && (
        <Row label={has.room.label} hint={has.room.hint}>
          {(id) => (
            <InputGroup
              id={id}
              value={written.room}
              maxLength={255}
              placeholder={has.room?.placeholder ?? ''}
              onValueChange={(room) => change({ room })}
            />
          )}
        </Row>
      )}
      {has.recipients && (
        <Row label={has.recipients.label} hint={has.recipients.hint}>
          {(id) => (
            <TagInput
              inputProps={{ id, type: 'email' }}
              values={written.recipients}
              addOnBlur
              tagProps={{ minimal: true }}
              onChange={(values) => change({ recipients: values.map(String) })}
            />
          )}
        </Row>
      )}
      {before?.kind === 'webhook' && (
        <Row label="Signing secret" hint={oldSecretText(before)}>
          {() => (
            <div className={styles.inline}>
              <code>whsec_…{before.secretHint}</code>
              <Button text="Rotate" onClick={onRotate} />
            </div>
          )}
        </Row>
      )}
      <Row
        label="Customers"
        hint={
          written.customers.length === 0
            ? 'People there may hear of every customer.'
            : 'Messages about any other customer are held back here, whatever a rule says.'
        }
      >
        {(id) => (
          <TagInput
            inputProps={{ id }}
            placeholder="All customers"
            values={written.customers}
            addOnBlur
            tagProps={{ minimal: true }}
            onChange={(values) => change({ customers: values.map(String) })}
          />
        )}
      </Row>
    </>
  );
}

const oldSecretText = ({ oldSecretUntil }: Destination): string | undefined =>
  oldSecretUntil === null
    ? undefined
    : `Messages are signed with the secret before, too, until ${formatCardTime(new Date(oldSecretUntil))}.`;

interface RowProps {
  label: string;
  hint?: string | undefined;
  children: (id: string) => ReactNode;
}

/** A setting: its name, its control, and what is to be known of it. */
function Row({ label, hint, children }: RowProps) {
  const id = useId();
  return (
    <div className={styles.setting}>
      <label htmlFor={id}>{label}</label>
      <div>
        {children(id)}
        {hint && <p className={styles.hint}>{hint}</p>}
      </div>
    </div>
  );
}
