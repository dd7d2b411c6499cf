import { Dialog, DialogBody } from '@blueprintjs/core';
import { useState } from 'react';
import type { AlertField } from '#renderer/ui/alert-card/card-fields.ts';
import { type FormattedValue, formatValue } from '#renderer/ui/alert-card/format-value.ts';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import './extra-information-dialog.css';

interface ExtraInformationDialogProps {
  fields: readonly AlertField[];
  isOpen: boolean;
  onClose: () => void;
  /** Called when it has gone from the screen. */
  onClosed: () => void;
}

/** Every field of an alert that its card does not show in full (spec.md section 2, "Inbox"). */
export function ExtraInformationDialog({ fields, isOpen, onClose, onClosed }: ExtraInformationDialogProps) {
  const [now] = useState(() => new Date());
  return (
    <Dialog
      isOpen={isOpen}
      className="ad-extra"
      title="Extra Information"
      onClose={onClose}
      onClosed={onClosed}
      aria-describedby="ad-extra-subtitle"
      shouldReturnFocusOnClose
    >
      <DialogBody className="ad-extra-body" useOverflowScrollContainer={false}>
        <p id="ad-extra-subtitle" className="ad-dialog-subtitle">
          Additional fields from this alert
        </p>
        <ScrollRegion className="ad-extra-scroll" label="Additional fields">
          <dl className="ad-extra-list">
            {fields.map(({ id, key, name, value }) => (
              <div key={id} className="ad-extra-field">
                <dt className="ad-extra-name">
                  <bdi>{name}</bdi>
                </dt>
                <dd className="ad-extra-value">
                  <FullValue value={formatValue(key, value, now)} />
                </dd>
              </div>
            ))}
          </dl>
        </ScrollRegion>
      </DialogBody>
    </Dialog>
  );
}

/** A value in full, line breaks and all. */
function FullValue({ value }: { value: FormattedValue }) {
  switch (value.kind) {
    case 'link':
      return (
        <a className="ad-value-link" href={value.href} target="_blank" rel="noopener noreferrer" dir="ltr">
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
      return <span className="ad-value-empty">{value.full}</span>;
    case 'json':
      return (
        <pre className="ad-extra-json" dir="ltr">
          {value.full}
        </pre>
      );
    default:
      return <bdi>{value.full}</bdi>;
  }
}
