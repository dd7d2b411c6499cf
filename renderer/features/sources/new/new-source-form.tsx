import { Button, InputGroup } from '@blueprintjs/core';
import { InfoSignIcon, KeyIcon, DocumentCodeIcon } from '@blueprintjs/icons';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { SENDERS, type Sender, senderSchema } from '#backend/contract/sender.ts';
import { useFacets } from '#renderer/alerts/data/facets.ts';
import { SET_UPS } from '#renderer/features/sources/set-up/set-ups.ts';
import { RichText } from '#renderer/features/sources/shown/rich-text.tsx';
import { SenderTile } from '#renderer/features/sources/shown/sender-tile.tsx';
import { SOURCES_PAGE } from '#renderer/features/sources/shown/source-addresses.ts';
import { TitleRow } from '#renderer/features/sources/shown/source-head.tsx';
import { ApiError } from '#renderer/lib/api-client.ts';
import { FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { type MadeSource, makeSource, suggestedName } from './make-source.ts';
import { SenderTiles } from './sender-tiles.tsx';
import { StepMark } from './step-mark.tsx';
import * as styles from './new-source.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as formDialogStyles from '#renderer/ui/form-dialog/form-dialog.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';

/** Asks for the sender and a name. `?sender=` chooses one, as Unknown keys does. */
export function NewSourceForm({ onMade }: { onMade: (made: MadeSource) => void }) {
  const [params] = useSearchParams();
  const [sender, setSender] = useState<Sender>(() => senderSchema.safeParse(params.get('sender')).data ?? 'generic');
  const [typedName, setTypedName] = useState<string>();
  const [defaultCustomer, setDefaultCustomer] = useState('');
  const navigate = useNavigate();
  const make = useMutation({ mutationFn: makeSource, gcTime: 0, onSuccess: onMade });
  const name = typedName ?? suggestedName(sender);
  const { name: product, alsoKnownAs } = SENDERS[sender];
  const isTaken = make.error instanceof ApiError && make.error.status === 409;
  const canCreate = name.trim() !== '';

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (canCreate && !make.isPending) make.mutate({ sender, name: name.trim(), defaultCustomer });
  };
  return (
    <>
      <TitleRow title="New source" />
      <div className={styles.new}>
        <SenderTiles sender={sender} onChoose={setSender} />
        <section aria-labelledby="ad-source-naming">
          <div className={styles.head}>
            <h2 id="ad-source-naming" className={styles.title}>
              <StepMark step={2} />
              Name it
            </h2>
          </div>
          <form className={`${panelStyles.panel} ${styles.form}`} onSubmit={submit} noValidate>
            <div className={styles.sender}>
              <SenderTile sender={sender} />
              <div>
                <div className={styles.product}>{product}</div>
                <div className={styles.known}>{alsoKnownAs?.join(', ') ?? ' '}</div>
              </div>
            </div>
            <FormField
              label="Name"
              hint={
                isTaken ? (
                  <span className={formDialogStyles.fieldError} role="alert">
                    A source with this name already exists.
                  </span>
                ) : (
                  'Shown on alerts and in filters.'
                )
              }
            >
              {(ids) => (
                <InputGroup
                  {...ids}
                  autoComplete="off"
                  maxLength={100}
                  aria-invalid={isTaken || undefined}
                  value={name}
                  onValueChange={(text) => {
                    setTypedName(text);
                    if (make.isError) make.reset();
                  }}
                />
              )}
            </FormField>
            <FormField
              label={
                <>
                  Default customer <span className={formDialogStyles.optional}>(Optional)</span>
                </>
              }
              hint="Used when a delivery names no customer."
            >
              {(ids) => <CustomerField ids={ids} value={defaultCustomer} onChange={setDefaultCustomer} />}
            </FormField>
            <hr className={styles.rule} />
            <WhatWillBeCreated sender={sender} />
            {make.error && !isTaken && (
              <p className={sourcesStyles.sourceError} role="alert">
                The source could not be created: {make.error.message}
              </p>
            )}
            <div className={styles.actions}>
              <Button text="Cancel" onClick={() => void navigate(SOURCES_PAGE)} />
              <Button
                type="submit"
                intent="primary"
                text={make.isPending ? 'Creating…' : 'Create source'}
                disabled={!canCreate}
                aria-disabled={make.isPending || undefined}
              />
            </div>
          </form>
        </section>
      </div>
      <p className={styles.note}>
        <InfoSignIcon />
        <span>
          Key: an API key sent in a header. Address: the token is part of the address. Signed: the sender signs every
          request.
          <br />
          Not listed? Choose Any JSON: every field of the alert can be mapped from the first delivery.
        </span>
      </p>
    </>
  );
}

interface CustomerFieldProps {
  ids: { id: string; 'aria-describedby': string | undefined };
  value: string;
  onChange: (customer: string) => void;
}

/** A customer's name: one of those that alerts have named, or another one. */
function CustomerField({ ids, value, onChange }: CustomerFieldProps) {
  const { data } = useFacets({ list: 'all' });
  return (
    <>
      <InputGroup
        {...ids}
        autoComplete="off"
        list={`${ids.id}-names`}
        maxLength={200}
        placeholder="None"
        value={value}
        onValueChange={onChange}
      />
      <datalist id={`${ids.id}-names`}>
        {data?.customers.map((customer) => (
          <option key={customer}>{customer}</option>
        ))}
      </datalist>
    </>
  );
}

function WhatWillBeCreated({ sender }: { sender: Sender }) {
  const { created, tabs } = SET_UPS[sender];
  const hasCode = tabs.some(({ code }) => code !== undefined);
  return (
    <div className={styles.created}>
      <h3 className={formDialogStyles.label}>What will be created</h3>
      <ul>
        <li>
          <KeyIcon />
          <span>
            <RichText text={created.replace('{sender}', SENDERS[sender].name)} />
          </span>
        </li>
        <li>
          <DocumentCodeIcon />
          {hasCode
            ? 'A configuration with address and API key filled in, ready to copy'
            : 'Step-by-step setup instructions with the values filled in, ready to copy'}
        </li>
      </ul>
    </div>
  );
}
