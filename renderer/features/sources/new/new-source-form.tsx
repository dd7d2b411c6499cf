import { Button, InputGroup } from '@blueprintjs/core';
import { InfoSignIcon, KeyIcon, DocumentCodeIcon } from '@blueprintjs/icons';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { SENDERS } from '#backend/contract/sender-marks.ts';
import { type Sender, senderSchema } from '#backend/contract/sender.ts';
import { useFacets } from '#renderer/alerts/data/facets.ts';
import { SET_UPS } from '#renderer/features/sources/set-up/set-ups.ts';
import { RichText } from '#renderer/features/sources/shown/rich-text.tsx';
import { SenderTile } from '#renderer/features/sources/shown/sender-tile.tsx';
import { SOURCES_PAGE } from '#renderer/features/sources/shown/source-addresses.ts';
import { TitleRow } from '#renderer/features/sources/shown/source-head.tsx';
import { ApiError } from '#renderer/lib/api-client.ts';
import { HoldWhile } from '#renderer/ui/hold-while.tsx';
import { FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { useFocusOfNew } from '#renderer/ui/focus-of-new.ts';
import { useKeepPage } from '#renderer/ui/leave-guard.tsx';
import { type MadeSource, makeSource, suggestedName } from './make-source.ts';
import { SenderTiles } from './sender-tiles.tsx';
import { StepMark } from './step-mark.tsx';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './new-source.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as formDialogStyles from '#renderer/ui/form-dialog/form-dialog.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';

/** Asks for the sender and a name. `?sender=` chooses one, as Unknown keys does. */
export function NewSourceForm({ onMade }: { onMade: (made: MadeSource) => void }) {
  const [params] = useSearchParams();
  const named = senderSchema.safeParse(params.get('sender')).data ?? 'generic';
  const [sender, setSender] = useState<Sender>(named);
  const [typedName, setTypedName] = useState<string>();
  const [defaultCustomer, setDefaultCustomer] = useState('');
  useKeepPage(sender !== named || typedName !== undefined || defaultCustomer !== '');
  const nameField = useRef<HTMLInputElement>(null);
  useFocusOfNew(true, () => nameField.current);
  const navigate = useNavigate();
  const make = useMutation({ mutationFn: makeSource, gcTime: 0, onSuccess: onMade });
  const name = typedName ?? suggestedName(sender);
  const { name: product, alsoKnownAs } = SENDERS[sender];
  // The name is taken, or there are as many sources as there may be.
  const refusal = make.error instanceof ApiError && make.error.status === 409 ? make.error.message : undefined;
  const canCreate = name.trim() !== '';

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (canCreate && !make.isPending) make.mutate({ sender, name: name.trim(), defaultCustomer });
  };
  return (
    <>
      <TitleRow title={texts.newSource} />
      <div className={styles.new}>
        <SenderTiles sender={sender} onChoose={setSender} />
        <section aria-labelledby="ad-source-naming">
          <div className={styles.head}>
            <h2 id="ad-source-naming" className={styles.title}>
              <StepMark step={2} />
              {texts.nameIt}
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
              label={pageTexts.name}
              hint={
                refusal !== undefined ? (
                  <span className={formDialogStyles.fieldError} role="alert">
                    {refusal}
                  </span>
                ) : (
                  sourceTexts.sourceNameHint
                )
              }
            >
              {(ids) => (
                <InputGroup
                  {...ids}
                  inputRef={nameField}
                  autoComplete="off"
                  maxLength={100}
                  aria-invalid={refusal !== undefined || undefined}
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
                  {texts.defaultCustomer} <span className={formDialogStyles.optional}>{texts.optional}</span>
                </>
              }
              hint={sourceTexts.defaultCustomerHint}
            >
              {(ids) => <CustomerField ids={ids} value={defaultCustomer} onChange={setDefaultCustomer} />}
            </FormField>
            <hr className={styles.rule} />
            <WhatWillBeCreated sender={sender} />
            {make.error && refusal === undefined && (
              <p className={sourcesStyles.sourceError} role="alert">
                {texts.sourceCouldNotBeCreated(make.error.message)}
              </p>
            )}
            <HoldWhile isPending={make.isPending} />
            <div className={styles.actions}>
              <Button text={pageTexts.cancel} onClick={() => void navigate(SOURCES_PAGE)} />
              <Button
                type="submit"
                intent="primary"
                text={make.isPending ? texts.creating : sourceTexts.createSource}
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
          {texts.waysHint}
          <br />
          {texts.notListedChooseAnyJson}
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
        placeholder={texts.none}
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
      <h3 className={formDialogStyles.label}>{texts.whatWillBeCreated}</h3>
      <ul>
        <li>
          <KeyIcon />
          <span>
            <RichText text={created.replace('{sender}', SENDERS[sender].name)} />
          </span>
        </li>
        <li>
          <DocumentCodeIcon />
          {hasCode ? texts.configurationWithAddressAndApi : texts.stepByStepSetupInstructions}
        </li>
      </ul>
    </div>
  );
}
