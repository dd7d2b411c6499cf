import { Button, HTMLSelect, InputGroup, type InputGroupProps, TagInput, TextArea } from '@blueprintjs/core';
import type { KindField } from '#backend/contract/destination-kinds.ts';
import { type Destination, type DestinationKind, destinationKindSchema } from '#backend/contract/outgoing.ts';
import { formatCardTime } from '#renderer/lib/times.ts';
import type { Editor } from '#renderer/ui/editor/use-editor.ts';
import { type WrittenDestination, fieldsOf, hintOf, isSecret, withKind } from './destination-form.ts';
import classNames from 'classnames';
import { fieldTexts, kindTexts } from './kind-texts.ts';
import { isTicketSystem } from '#backend/contract/ticket.ts';
import { Row } from './setting-row.tsx';
import { TicketFields } from './ticket-fields.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './destinations-texts.tsx';
import * as styles from './outgoing.module.css';

interface FieldsProps {
  before: Destination | undefined;
  isMailConfigured: boolean;
  editor: Editor<WrittenDestination>;
  onRotate: () => void;
}

/** The settings of a destination, as its kind has them. */
export function DestinationFields({ editor, before, isMailConfigured, onRotate }: FieldsProps) {
  const { written, change } = editor;
  const { kind } = written;
  const kinds = destinationKindSchema.options.filter((one) => one !== 'mail' || isMailConfigured);
  return (
    <>
      {!before && (
        <Row label={texts.kind} hint={kindTexts(kind).hint}>
          {(id) => (
            <HTMLSelect
              id={id}
              value={kind}
              options={kinds.map((value) => ({ value, label: kindTexts(value).name }))}
              onChange={({ currentTarget }) => change(withKind(written, currentTarget.value as DestinationKind))}
            />
          )}
        </Row>
      )}
      <Row label={pageTexts.name} fault={editor.faultAt('name')}>
        {(id, described) => (
          <InputGroup
            {...described}
            id={id}
            value={written.name}
            maxLength={100}
            onValueChange={(name) => change({ name })}
          />
        )}
      </Row>
      {fieldsOf(kind).map((field) => (
        <Field key={field} field={field} editor={editor} before={before} />
      ))}
      {isTicketSystem(kind) && <TicketFields written={written} before={before} change={change} />}
      {before?.connection && <ConnectionRow connection={before.connection} />}
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
      <Row
        label={texts.customers}
        hint={written.customers.length === 0 ? texts.allCustomersHint : texts.customersHint}
        fault={editor.faultAt('customers')}
      >
        {(id, described) => (
          <TagInput
            inputProps={{ id, ...described }}
            placeholder={texts.allCustomers}
            values={written.customers}
            addOnBlur
            // A comma belongs to a name, such as “Acme, Inc.”: several names are pasted as lines.
            separator={/[\n\r]/}
            tagProps={{ minimal: true }}
            onChange={(values) => change({ customers: values.map(String) })}
          />
        )}
      </Row>
    </>
  );
}

const METHODS = ['POST', 'PUT', 'GET'];

/** What is typed into fields of one line, and how much. */
const INPUTS: Partial<Record<KindField, InputGroupProps>> = {
  url: { type: 'url', maxLength: 2_000, placeholder: 'https://' },
  topic: { maxLength: 64 },
  room: { maxLength: 255 },
  account: { maxLength: 254, autoComplete: 'off' },
  token: { type: 'password', maxLength: 500, autoComplete: 'off' },
  appToken: { type: 'password', maxLength: 500, autoComplete: 'off' },
  requestSecret: { type: 'password', maxLength: 500, autoComplete: 'off' },
};

/** A field that a kind has. A secret is never shown again: what is kept is known by its last characters. */
function Field({ field, editor, before }: Pick<FieldsProps, 'editor' | 'before'> & { field: KindField }) {
  const { written, change, faultAt } = editor;
  const { label, hint, placeholder } = fieldTexts(written.kind)[field] ?? { label: field };
  const value = written[field];
  const kept = before && isSecret(written.kind, field) ? hintOf(before, field) : undefined;
  return (
    <Row label={label} hint={hint} fault={faultAt(field)}>
      {(id, described) =>
        field === 'method' ? (
          <HTMLSelect
            {...described}
            id={id}
            value={written.method}
            options={METHODS}
            onChange={({ currentTarget }) => change({ method: currentTarget.value })}
          />
        ) : field === 'headers' || field === 'template' ? (
          <TextArea
            {...described}
            id={id}
            fill
            className={styles.template}
            value={written[field]}
            rows={field === 'headers' ? 3 : 6}
            maxLength={field === 'headers' ? 2_000 : 4_000}
            placeholder={placeholder ?? ''}
            spellCheck={false}
            onChange={({ currentTarget }) => change({ [field]: currentTarget.value })}
          />
        ) : typeof value === 'string' ? (
          <InputGroup
            {...INPUTS[field]}
            {...described}
            id={id}
            value={value}
            {...(kept ? { placeholder: texts.kept(kept) } : placeholder !== undefined && { placeholder })}
            onValueChange={(changed) => change({ [field]: changed })}
          />
        ) : (
          <TagInput
            inputProps={{ id, type: 'email', ...described }}
            values={value}
            addOnBlur
            tagProps={{ minimal: true }}
            onChange={(values) => change({ [field]: values.map(String) })}
          />
        )
      }
    </Row>
  );
}

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
