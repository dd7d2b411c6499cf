import { Button } from '@blueprintjs/core';
import { CrossIcon, RepeatIcon, TickIcon } from '@blueprintjs/icons';
import { useNavigate } from 'react-router-dom';
import type { Delivery } from '#backend/contract/delivery.ts';
import type { Source } from '#backend/contract/source.ts';
import { pageOf } from '#renderer/features/sources/shown/source-addresses.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { refusalChecks } from './refusal-checks.ts';
import * as texts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';
import * as styles from './refusal-panel.module.css';

interface RefusalPanelProps {
  delivery: Delivery;
  source: Source;
  /** Why it cannot be replayed; undefined when it can. */
  cannotReplay: string | undefined;
  isReplaying: boolean;
  onReplay: () => void;
}

/** Why a request was refused: what was checked of it, and what to do. */
export function RefusalPanel({ delivery, source, cannotReplay, isReplaying, onReplay }: RefusalPanelProps) {
  const navigate = useNavigate();
  const reason = inertLine(delivery.summary).replace(/\.$/, '');
  return (
    <section className={`${panelStyles.panel} ${styles.refusal}`} aria-labelledby="ad-refusal-title">
      <h2 id="ad-refusal-title" className={`${sourcesStyles.outcome} ${sourcesStyles.outcome_refused}`}>
        <span className={sourcesStyles.dot} />
        {texts.refused}
      </h2>
      <p>{texts.senderReceivedStatusAndNo(reason, delivery.status)}</p>
      <ul className={styles.checks}>
        {refusalChecks(delivery, source.settings.auth).map(({ name, isRight, text }) => (
          <li key={name} className={isRight ? '' : styles.check_wrong}>
            {isRight ? <TickIcon size={14} title={texts.passed} /> : <CrossIcon size={14} title={texts.failed} />}
            <span className={styles.name}>{name}</span>
            <span className={styles.text}>{inertLine(text)}</span>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button text={texts.setUpWithNewCredentials} onClick={() => void navigate(pageOf(source.id, 'set-up'))} />
        <Button
          icon={<RepeatIcon />}
          text={texts.replayAnyway}
          disabled={cannotReplay !== undefined}
          aria-disabled={isReplaying || undefined}
          data-tip={cannotReplay}
          data-tip-always
          onClick={onReplay}
        />
      </div>
    </section>
  );
}
