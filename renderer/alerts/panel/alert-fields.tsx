import { Button, InputGroup, Tab, Tabs } from '@blueprintjs/core';
import { SearchIcon } from '@blueprintjs/icons';
import { Fragment, type ReactNode, Suspense, useMemo, useState } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import type { Alert } from '#backend/contract/alert.ts';
import { formatValue } from '#renderer/alerts/card/format-value.ts';
import { inertText } from '#renderer/lib/inert-text.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import { MarkedText } from './marked-text.tsx';
import { type PanelField, fieldsAsText, findFields, panelFieldsOf, plainValue, rawPayloadsIn } from './panel-fields.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as alertPanelStyles from './alert-panel.module.css';
import * as fieldsZoneStyles from '#renderer/alerts/card/fields-zone.module.css';
import * as styles from './alert-fields.module.css';

// Asked for with the panel, so that lists do not wait for it.
const Receipts = lazyWithRetry(async () => (await import('./receipts.tsx')).Receipts, 'report');
const ReceiptsTitle = lazyWithRetry(
  async () => (await import('./receipts.tsx')).ReceiptsTitle,
  'omit',
  () => texts.notified,
);

/** Fields shown at first, and at most: beyond that the raw JSON serves better. */
const FIRST = 7;
const MOST = 500;

interface AlertFieldsProps {
  alert: Alert;
  /** The server's answer; undefined while only a list's copy is known. */
  text: string | undefined;
  /** Another tab, where there is no space for its content below. */
  notes?: { title: ReactNode; content: ReactNode; isAsked: boolean } | undefined;
}

/** What was received: each value by its name, or all of it as JSON. */
export function AlertFields({ alert, text, notes }: AlertFieldsProps) {
  const [chosen, setTab] = useState('fields');
  const isThere = chosen !== 'notes' || notes !== undefined;
  if (notes?.isAsked && chosen !== 'notes') setTab('notes');
  const tab = isThere ? chosen : 'fields';
  const [search, setSearch] = useState('');
  const fields = panelFieldsOf(alert);
  return (
    <section className={`${alertPanelStyles.section} ${styles.received}`} aria-label={texts.fields}>
      {tab === 'fields' && (
        <div className={styles.tools}>
          <InputGroup
            className={styles.find}
            type="search"
            leftElement={<SearchIcon className={styles.findIcon} />}
            placeholder={texts.findInFields}
            aria-label={texts.findInFields}
            value={search}
            onValueChange={setSearch}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || search === '') return;
              event.preventDefault();
              setSearch('');
            }}
          />
          {fields.length > 0 && <CopyButton text={fieldsAsText(fields)} label={texts.copyAllFields} hasTip />}
        </div>
      )}
      <Tabs
        id="ad-alert-panel-tabs"
        className={styles.tabs}
        selectedTabId={tab}
        onChange={(id) => setTab(String(id))}
        renderActiveTabPanelOnly
      >
        <Tab
          id="fields"
          title={
            <>
              {texts.fields} <span className={styles.tabCount}>{countText(fields.length)}</span>
            </>
          }
          panel={<FieldList fields={fields} search={search} />}
        />
        <Tab id="raw" title={texts.rawJson} panel={<RawJson text={text} />} />
        <Tab
          id="notified"
          title={
            <Suspense fallback={texts.notified}>
              <ReceiptsTitle alertId={alert.id} />
            </Suspense>
          }
          panel={
            <Suspense>
              <Receipts alertId={alert.id} />
            </Suspense>
          }
        />
        {notes && <Tab id="notes" title={notes.title} panel={<>{notes.content}</>} />}
      </Tabs>
    </section>
  );
}

function FieldList({ fields, search }: { fields: readonly PanelField[]; search: string }) {
  const [isOpen, setOpen] = useState(false);
  const found = useMemo(() => findFields(fields, search), [fields, search]);
  const isSearch = search.trim() !== '';
  const shown = found.slice(0, isOpen || isSearch ? MOST : FIRST);
  const more = found.length - shown.length;
  const isEmpty = found.length === 0;
  return (
    <>
      {!isEmpty && (
        <dl>
          {shown.map((field) => (
            <FieldRow key={field.id} field={field} search={search.trim()} />
          ))}
        </dl>
      )}
      {/* Always there: what appears in it is read out. */}
      <output className={isEmpty ? alertPanelStyles.empty : undefined}>
        {isEmpty && (isSearch ? texts.noMatchingFields : texts.itWasSentWithoutFields)}
      </output>
      {more > 0 &&
        (isOpen || isSearch ? (
          <p className={alertPanelStyles.empty}>{texts.moreInRawJson(countText(more))}</p>
        ) : (
          <Button
            className={styles.more}
            variant="minimal"
            text={texts.more(countText(more), more)}
            onClick={() => setOpen(true)}
          />
        ))}
    </>
  );
}

function FieldRow({ field: { name, key, value }, search }: { field: PanelField; search: string }) {
  const [now] = useState(() => new Date());
  return (
    <div className={styles.field}>
      <dt dir="auto">{search === '' ? <BreakableName name={name} /> : <MarkedText text={name} search={search} />}</dt>
      <dd className={styles.value}>
        <FieldValue value={formatValue(key, value, now)} search={search} />
      </dd>
      <dd className={styles.copy}>
        <CopyButton text={plainValue(value)} label={texts.copyField(name)} />
      </dd>
    </div>
  );
}

function FieldValue({ value, search }: { value: ReturnType<typeof formatValue>; search: string }) {
  const text = <MarkedText text={value.full} search={search} />;
  switch (value.kind) {
    case 'link':
      return (
        <a className={fieldsZoneStyles.valueLink} href={value.href} target="_blank" rel="noopener noreferrer" dir="ltr">
          {text}
        </a>
      );
    case 'time':
      return (
        <time dateTime={value.dateTime} title={value.exact}>
          {text}
        </time>
      );
    case 'empty':
      return <span className={fieldsZoneStyles.valueEmpty}>{value.full}</span>;
    case 'json':
      return (
        <pre className={styles.json} dir="ltr">
          {text}
        </pre>
      );
    default:
      return <bdi>{text}</bdi>;
  }
}

/** The payload with every digit as it was received. */
function RawJson({ text }: { text: string | undefined }) {
  const payloads = useMemo(() => (text === undefined ? undefined : rawPayloadsIn(text)), [text]);
  if (!payloads) return <output className={alertPanelStyles.empty}>{pageTexts.loading}</output>;
  return payloads.map(({ label, text: json }) => (
    <div key={label}>
      <div className={styles.rawHead}>
        <span>{label}</span>
        <CopyButton text={json} label={texts.copyJson} isLabelled />
      </div>
      <ScrollRegion className={styles.rawText} label={label}>
        <pre className={styles.json} dir="ltr">
          {inertText(json)}
        </pre>
      </ScrollRegion>
    </div>
  ));
}

/** A field's name, which breaks after the points of a path rather than within a word. */
function BreakableName({ name }: { name: string }) {
  const parts = name.split(/(?<=\.)/);
  return parts.map((part, index) => (
    /* oxlint-disable-next-line react/no-array-index-key -- The parts of one name never change their places. */
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
