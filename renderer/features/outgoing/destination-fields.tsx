import { Button, HTMLSelect, InputGroup, TagInput } from '@blueprintjs/core';
import { type ReactNode, useId } from 'react';
import { type Destination, type DestinationKind, destinationKindSchema } from '#backend/contract/outgoing.ts';
import { formatCardTime } from '#renderer/lib/times.ts';
import type { WrittenDestination } from './destination-form.ts';
import { HAS_SECRET_ADDRESS, KIND_FIELDS, KIND_LABELS } from './outgoing-labels.ts';
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
  const has = KIND_FIELDS[kind];
  const labels = KIND_LABELS[kind];
  const kinds = destinationKindSchema.options.filter((one) => one !== 'mail' || isMailConfigured);
  const isKept = before !== undefined && before.secretHint !== null;
  return (
    <>
      {!before && (
        <Row label="Kind" hint={labels.hint}>
          {(id) => (
            <HTMLSelect
              id={id}
              value={kind}
              options={kinds.map((value) => ({ value, label: KIND_LABELS[value].name }))}
              onChange={({ currentTarget }) => change({ kind: currentTarget.value as DestinationKind })}
            />
          )}
        </Row>
      )}
      <Row label="Name">
        {(id) => <InputGroup id={id} value={written.name} maxLength={100} onValueChange={(name) => change({ name })} />}
      </Row>
      {has.url && (
        <Row label={labels.address} hint={before ? labels.hint : undefined}>
          {(id) => (
            <InputGroup
              id={id}
              type="url"
              value={written.url}
              maxLength={2_000}
              placeholder={HAS_SECRET_ADDRESS.has(kind) && isKept ? `Kept, ends with ${before.secretHint}` : 'https://'}
              onValueChange={(url) => change({ url })}
            />
          )}
        </Row>
      )}
      {has.topic && (
        <Row label="Topic">
          {(id) => (
            <InputGroup id={id} value={written.topic} maxLength={64} onValueChange={(topic) => change({ topic })} />
          )}
        </Row>
      )}
      {has.token !== undefined && (
        <Row label={has.token} hint={kind === 'ntfy' ? 'Only where the topic is protected.' : undefined}>
          {(id) => (
            <InputGroup
              id={id}
              type="password"
              autoComplete="off"
              value={written.token}
              maxLength={500}
              placeholder={isKept ? `Kept, ends with ${before.secretHint}` : ''}
              onValueChange={(token) => change({ token })}
            />
          )}
        </Row>
      )}
      {has.recipients && (
        <Row label="Recipients" hint="They get one mail together and see each other’s addresses.">
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
        {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      </div>
    </div>
  );
}
