import { Button } from '@blueprintjs/core';
import type { MappingPreview, PreviewedDelivery } from '#backend/contract/delivery.ts';
import { formatMoment } from '#renderer/features/sources/shown/ages.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import { PART_LABELS } from './mapping-draft.ts';
import * as styles from './mapping-rows.module.css';

interface PastDeliveriesProps {
  preview: MappingPreview | undefined;
  error: Error | null;
  /** The draft differs from what is saved. */
  isChanged: boolean;
  /** What is shown is of an earlier draft. */
  isStale: boolean;
  onChoose: (id: string) => void;
  onRetry: () => void;
}

/** What past deliveries would become by the draft. */
export function PastDeliveries({ preview, error, isChanged, isStale, onChoose, onRetry }: PastDeliveriesProps) {
  return (
    <section className={panelStyles.panel} aria-label={texts.pastDeliveries}>
      <div className={styles.pastHead}>
        <h2>{texts.pastDeliveries}</h2>
        <output>{isChanged && preview ? headText(preview) : ''}</output>
      </div>
      {!isChanged ? (
        <p className={styles.pastNote}>{texts.changeMappingToSeeWhat}</p>
      ) : error ? (
        <p className={styles.pastNote}>
          {texts.pastDeliveriesCouldNotBe(error.message)}{' '}
          <Button variant="minimal" text={common.tryAgain} onClick={onRetry} />
        </p>
      ) : preview === undefined ? (
        <p className={styles.pastNote}>{texts.readingPastDeliveries}</p>
      ) : (
        <ul className={styles.past} aria-busy={isStale}>
          {preview.deliveries.map((delivery) => (
            <li key={delivery.id} className={isSame(delivery) ? styles.pastSame : undefined}>
              <Button
                variant="minimal"
                text={formatMoment(new Date(delivery.receivedAt))}
                aria-label={texts.showDeliveryOf(formatMoment(new Date(delivery.receivedAt)))}
                onClick={() => onChoose(delivery.id)}
              />
              <span className={styles.pastTitle} dir="auto">
                {inertLine(delivery.draft.title ?? delivery.saved.title ?? '')}
              </span>
              <span>{changeText(delivery)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function headText({ deliveries, differ, notRead }: MappingPreview): string {
  const all = deliveries.length;
  const said = all === 0 ? texts.noBodyOfDeliveryIs : texts.wouldDiffer(differ, all);
  return notRead === 0 || all === 0 ? said : texts.notShownNoBodyKept(said, notRead);
}

const isSame = ({ saved, draft, changed }: PreviewedDelivery): boolean =>
  changed.length === 0 && saved.alerts === draft.alerts && saved.ignored === draft.ignored;

const alertsText = (count: number): string =>
  count === 0 ? texts.noAlertInText : count === 1 ? '1 alert' : texts.countAlerts(count);

/** What is different about a delivery, in a few words. */
export function changeText({ saved, draft, changed }: PreviewedDelivery): string {
  if (saved.alerts !== draft.alerts) {
    const reason = draft.ignored === null ? '' : ` (${draft.ignored})`;
    return `${alertsText(saved.alerts)} → ${alertsText(draft.alerts)}${reason}`;
  }
  if (changed.length > 0) return `Changed: ${changed.map((field) => PART_LABELS[field]).join(', ')}`;
  if (saved.ignored !== draft.ignored) return draft.ignored ?? '';
  return texts.same;
}
