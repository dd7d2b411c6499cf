import { ArrowLeftIcon } from '@blueprintjs/icons';
import type { FieldOrigin, ReadEvent } from '#backend/contract/delivery.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { STATE_LABELS } from '#renderer/features/sources/shown/outcome-labels.ts';
import { shortPath } from '#renderer/features/sources/shown/json-paths.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import classNames from 'classnames';
import * as texts from './texts.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as deliveryPageStyles from './delivery-page.module.css';
import * as tableStyles from '#renderer/features/sources/shown/table.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';
import * as headlineCardStyles from '#renderer/features/sources/shown/headline-card.module.css';
import * as styles from './why-panel.module.css';

/** Label of each field; others keep their name. */
const FIELD_LABELS: Record<string, string> = {
  alertType: 'type',
  dedupKey: texts.dedupKey,
  groupKey: 'group',
  at: 'time',
};

export const fieldLabel = (field: string): string => FIELD_LABELS[field] ?? field;

interface WhyPanelProps {
  event: ReadEvent;
  place: string;
  /** The field whose line is marked in the body. */
  marked: string | undefined;
  /** The field whose line stays marked. */
  kept: string | undefined;
  onPoint: (field: string | undefined) => void;
  onKeep: (field: string) => void;
  /** What no field was taken from. */
  unused: readonly string[];
}

/** Which value of the request became which field of the alert. Pointing at a field marks its line in the body. */
export function WhyPanel({ event, place, marked, kept, onPoint, onKeep, unused }: WhyPanelProps) {
  return (
    <section className={panelStyles.panel} aria-labelledby="ad-why-title">
      <div className={deliveryPageStyles.panelHead}>
        <h2 id="ad-why-title">{sourceTexts.howThisAlertWasCreated}</h2>
        <span className={deliveryPageStyles.side}>{place}</span>
      </div>
      <ul>
        {event.origins.map((origin) => (
          <li
            key={origin.field}
            className={classNames(styles.row, origin.field === marked && styles.row_marked)}
            onPointerEnter={() => onPoint(origin.field)}
            onPointerLeave={() => onPoint(undefined)}
          >
            <span className={styles.field}>{fieldLabel(origin.field)}</span>
            <span className={styles.value}>
              <OriginValue origin={origin} event={event} />
            </span>
            <span className={styles.from}>
              {origin.path !== '' && (
                <>
                  <ArrowLeftIcon size={12} />
                  <button
                    type="button"
                    className={`${styles.path} ${tableStyles.rowLink}`}
                    aria-pressed={origin.field === kept}
                    aria-label={texts.comesFromMarkItsLine(fieldLabel(origin.field), origin.path)}
                    onFocus={() => onPoint(origin.field)}
                    onBlur={() => onPoint(undefined)}
                    onClick={() => onKeep(origin.field)}
                  >
                    {shortPath(origin.path)}
                  </button>
                </>
              )}
              {origin.note !== undefined && <span className={styles.note}>{origin.note}</span>}
            </span>
          </li>
        ))}
      </ul>
      {unused.length > 0 && <p className={styles.unused}>{texts.notUsed(unused)}</p>}
    </section>
  );
}

function OriginValue({ origin: { field, value }, event }: { origin: FieldOrigin; event: ReadEvent }) {
  if (field === 'severity' && event.severity !== 'none') {
    return (
      <span className={sourcesStyles.whySeverity}>
        <SeverityMark severity={event.severity} state={event.state} /> {SEVERITY_LABELS[event.severity]}
      </span>
    );
  }
  if (field === 'state') return STATE_LABELS[event.state];
  if (value === null || value === '') return <span className={styles.none}>{texts.none}</span>;
  if (field === 'link' && /^https?:\/\//i.test(value)) {
    return (
      <a className={headlineCardStyles.link} href={value} target="_blank" rel="noopener noreferrer" data-tip={value}>
        {inertLine(value.replace(/^https?:\/\//i, ''))}
      </a>
    );
  }
  return <span dir="auto">{inertLine(value)}</span>;
}
