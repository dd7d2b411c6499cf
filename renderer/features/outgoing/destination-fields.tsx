import { Button, HTMLSelect, InputGroup, TagInput } from '@blueprintjs/core';
import { type ReactNode, useId } from 'react';
import { type Destination, type DestinationKind, destinationKindSchema } from '#backend/contract/outgoing.ts';
import { formatCardTime } from '#renderer/lib/times.ts';
import { type WrittenDestination, withKind } from './destination-form.ts';
import classNames from 'classnames';
import { type FieldText, KIND_TEXTS } from './kind-texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './destinations-texts.tsx';
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
  const kept = keptOf(before?.secretHint);
  return (
    <>
      {!before && (
        <Row label={texts.kind} hint={has.hint}>
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
      <Row label={pageTexts.name}>
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
        <SecretRow text={has.token} value={written.token} kept={kept} onChange={(token) => change({ token })} />
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
      {has.appToken && (
        <SecretRow
          text={has.appToken}
          value={written.appToken}
          kept={keptOf(before?.otherHints?.appToken)}
          onChange={(appToken) => change({ appToken })}
        />
      )}
      {before?.connection && <ConnectionRow connection={before.connection} />}
      {has.requestSecret && (
        <SecretRow
          text={has.requestSecret}
          value={written.requestSecret}
          kept={keptOf(before?.otherHints?.requestSecret)}
          onChange={(requestSecret) => change({ requestSecret })}
        />
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
        <Row label={texts.signingSecret} hint={oldSecretText(before)}>
          {() => (
            <div className={styles.inline}>
              <code>whsec_…{before.secretHint}</code>
              <Button text={texts.rotate} onClick={onRotate} />
            </div>
          )}
        </Row>
      )}
      <Row label={texts.customers} hint={written.customers.length === 0 ? texts.allCustomersHint : texts.customersHint}>
        {(id) => (
          <TagInput
            inputProps={{ id }}
            placeholder={texts.allCustomers}
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

const keptOf = (hint: string | null | undefined): string | undefined => (hint ? texts.kept(hint) : undefined);

interface SecretRowProps {
  text: FieldText;
  value: string;
  kept: string | undefined;
  onChange: (value: string) => void;
}

/** A secret, which is never shown again: what is kept is known by its last characters. */
const SecretRow = ({ text, value, kept, onChange }: SecretRowProps) => (
  <Row label={text.label} hint={text.hint}>
    {(id) => (
      <InputGroup
        id={id}
        type="password"
        autoComplete="off"
        value={value}
        maxLength={500}
        placeholder={kept ?? ''}
        onValueChange={onChange}
      />
    )}
  </Row>
);

/** How the connection by which presses of buttons come is doing. */
const ConnectionRow = ({ connection }: { connection: NonNullable<Destination['connection']> }) => (
  <Row label={texts.connection} hint={connection.isUp ? texts.needsNoPublicAddress : undefined}>
    {() => (
      <span className={classNames(styles.health, styles[connection.isUp ? 'health_ok' : 'health_failing'])}>
        <span className={styles.healthWord}>
          <span className={styles.dot} />
          {connection.isUp ? texts.connectedBySocketMode : texts.notConnected(connection.reason)}
        </span>
      </span>
    )}
  </Row>
);

const oldSecretText = ({ oldSecretUntil }: Destination): string | undefined =>
  oldSecretUntil === null ? undefined : texts.oldSecretUntil(formatCardTime(new Date(oldSecretUntil)));

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
