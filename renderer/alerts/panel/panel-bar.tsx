import { pathOfAlert } from '#backend/contract/alert-news.ts';
import { AnchorButton, Button } from '@blueprintjs/core';
import { ArrowLeftIcon, ChevronDownIcon, ChevronUpIcon, CrossIcon, LinkIcon, MaximizeIcon } from '@blueprintjs/icons';
import { useHref, useNavigate } from 'react-router-dom';
import { countText } from '#backend/contract/count-text.ts';
import { LIST_KEYS } from '#renderer/alerts/actions/action-table.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { KeyCap } from '#renderer/ui/key-cap.tsx';
import { copyText } from '#renderer/ui/copy-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import type { Steps } from './panel-steps.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as styles from './alert-panel.module.css';

interface PanelBarProps {
  id: string;
  steps: Steps;
}

/** The panel's upper edge: to the neighbors, the link, the page of its own, and back to the list. */
export function PanelBar({ id, steps: { position, previous, next, close } }: PanelBarProps) {
  const navigate = useNavigate();
  const href = useHref(pathOfAlert(id));
  const hints = useKeyHints();
  return (
    <div className={styles.bar}>
      <Button
        className={styles.back}
        variant="minimal"
        icon={<ArrowLeftIcon />}
        aria-label={texts.backToList}
        onClick={close}
      />
      <Button
        variant="minimal"
        icon={<ChevronUpIcon />}
        endIcon={hints.cap(LIST_KEYS.previous)}
        aria-label={texts.previousAlert}
        {...hints.aria(LIST_KEYS.previous)}
        disabled={!previous}
        onClick={() => previous?.()}
      />
      <Button
        variant="minimal"
        icon={<ChevronDownIcon />}
        endIcon={hints.cap(LIST_KEYS.next)}
        aria-label={texts.nextAlert}
        {...hints.aria(LIST_KEYS.next)}
        disabled={!next}
        onClick={() => next?.()}
      />
      <span className={styles.position}>
        {position ? texts.placeOfTotal(countText(position.index + 1), countText(position.total)) : texts.notInThisList}
      </span>
      <CopyLink path={href} />
      <AnchorButton
        className={styles.ownPage}
        variant="minimal"
        icon={<MaximizeIcon />}
        aria-label={texts.openAsFullPage}
        data-tip={texts.openAsFullPage}
        data-tip-always
        href={href}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          void navigate(pathOfAlert(id));
        }}
      />
      <Button
        className={styles.close}
        variant="minimal"
        icon={<CrossIcon />}
        text={<span className="ad-hidden">{pageTexts.close}</span>}
        endIcon={<KeyCap label="Esc" />}
        aria-keyshortcuts="Escape"
        onClick={close}
      />
    </div>
  );
}

/** Copies the alert's address, for members with access to it. */
export function CopyLink({ path }: { path: string }) {
  const toasts = useToasts();
  return (
    <Button
      variant="minimal"
      icon={<LinkIcon />}
      aria-label={common.copyLink}
      data-tip={common.copyLink}
      data-tip-always
      onClick={() => void copyText(new URL(path, window.location.origin).href, toasts)}
    />
  );
}
