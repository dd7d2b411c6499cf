import { useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { AlertSubject } from '#renderer/alerts/card/card-parts.tsx';
import type { AlertField } from '#renderer/alerts/card/card-fields.ts';
import { type FormattedValue, formatValue } from '#renderer/alerts/card/format-value.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as texts from './texts.tsx';
import * as fieldsZoneStyles from '#renderer/alerts/card/fields-zone.module.css';
import * as styles from './extra-information-dialog.module.css';

interface ExtraInformationDialogProps {
  alert: Alert;
  fields: readonly AlertField[];
  presence: DialogPresence;
}

/** The fields of an alert that its card does not show in full. */
export function ExtraInformationDialog({ alert, fields, presence }: ExtraInformationDialogProps) {
  const [now] = useState(() => new Date());
  return (
    <DescribedDialog
      {...presence}
      className={styles.extra}
      title={texts.extraInformation}
      subtitle={texts.extraInformationHint}
    >
      <AlertSubject alert={alert} />
      <ScrollRegion className={styles.scroll} label={texts.additionalFields}>
        <dl>
          {fields.map(({ id, key, name, value }) => (
            <div key={id} className={styles.field}>
              <dt className={styles.name}>
                <bdi>{name}</bdi>
              </dt>
              <dd className={styles.value}>
                <FullValue value={formatValue(key, value, now)} />
              </dd>
              <dd className={styles.copy}>
                <CopyButton text={plainText(value)} label={texts.copyField(name)} />
              </dd>
            </div>
          ))}
        </dl>
      </ScrollRegion>
      <div className={styles.foot}>
        <CopyButton text={JSON.stringify(alert.payload, null, 2)} label={texts.copyJson} isLabelled />
      </div>
    </DescribedDialog>
  );
}

/** A value as it is copied: text as it came, everything else as JSON. */
const plainText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** A value in full, line breaks and all. */
function FullValue({ value }: { value: FormattedValue }) {
  switch (value.kind) {
    case 'link':
      return (
        <a className={fieldsZoneStyles.valueLink} href={value.href} target="_blank" rel="noopener noreferrer" dir="ltr">
          {value.full}
        </a>
      );
    case 'time':
      return (
        <time dateTime={value.dateTime} title={value.exact}>
          {value.full}
        </time>
      );
    case 'empty':
      return <span className={fieldsZoneStyles.valueEmpty}>{value.full}</span>;
    case 'json':
      return (
        <pre className={styles.json} dir="ltr">
          {value.full}
        </pre>
      );
    default:
      return <bdi>{value.full}</bdi>;
  }
}
