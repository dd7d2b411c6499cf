import { Button, PopupKind } from '@blueprintjs/core';
import { ChevronRightIcon, MoreIcon, PauseIcon, PlayIcon, SendMessageIcon } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Source } from '#backend/contract/source.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import { PageTabs } from '#renderer/ui/page-head/page-tabs.tsx';
import { HealthLabel } from './dot-labels.tsx';
import { SenderTile } from './sender-tile.tsx';
import { SourceMenu } from './source-menu.tsx';
import { markOf, senderOf } from './sender-tile.tsx';
import { SOURCES_PAGE, type SourceTab, pageOf } from './source-addresses.ts';
import type { SourceActions } from './use-source-actions.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as styles from './source-head.module.css';

/** The pages above this one, as links. */
export function PathLine({ steps }: { steps: readonly { to: string; title: string }[] }) {
  return (
    <nav className={styles.path} aria-label={texts.path}>
      {[{ to: SOURCES_PAGE, title: common.sources }, ...steps].map(({ to, title }) => (
        <span key={title} className={styles.pathStep}>
          <Link to={to}>{title}</Link>
          <ChevronRightIcon size={12} />
        </span>
      ))}
    </nav>
  );
}

interface TitleRowProps {
  tile?: ReactNode;
  title: string;
  /** How it is doing, and one more fact. */
  children?: ReactNode;
  actions?: ReactNode;
}

/** A page's title with what it is and how it is doing; its actions at the right. */
export function TitleRow({ tile, title, children, actions }: TitleRowProps) {
  return (
    <div className={styles.titleRow}>
      {tile}
      <div className={styles.titleWords}>
        <h1 className={pageHeadStyles.title} dir="auto" data-tip={title}>
          {title}
        </h1>
        <div className={styles.titleFacts}>{children}</div>
      </div>
      {actions !== undefined && <div className={styles.titleActions}>{actions}</div>}
    </div>
  );
}

const TABS: readonly { tab: SourceTab; title: string }[] = [
  { tab: 'deliveries', title: texts.deliveries },
  { tab: 'set-up', title: texts.setup },
  { tab: 'mapping', title: texts.mapping },
  { tab: 'settings', title: pageTexts.settings },
];

const loadMenu = async () => SourceMenu;

/** The head of a source's page: path, name, health, actions, tabs. */
export function SourceHead({ source, actions }: { source: Source; actions: SourceActions }) {
  const isPaused = source.pausedAt !== null;
  const { defaultCustomer } = source.settings;
  const sender = senderOf(source);
  const name = inertLine(source.name);
  return (
    <>
      <PathLine steps={[]} />
      <TitleRow
        tile={<SenderTile sender={sender} />}
        title={name}
        actions={
          <>
            <Button icon={<SendMessageIcon />} text={pageTexts.sendTest} onClick={() => actions.sendTest(source)} />
            <Button
              icon={isPaused ? <PlayIcon /> : <PauseIcon />}
              text={isPaused ? texts.resume : texts.pause}
              onClick={() => actions.pause(source, !isPaused)}
            />
            <PopupButton
              placement="bottom-end"
              popupKind={PopupKind.MENU}
              onOpening={focusMenu}
              load={loadMenu}
              content={{ source, actions, isInList: false }}
              button={{ icon: <MoreIcon />, 'aria-label': texts.moreActions }}
            />
          </>
        }
      >
        <HealthLabel source={source} hasReason={source.health.state === 'refusing'} />
        <span className={styles.titleFact}>
          {defaultCustomer === null ? markOf(sender).name : texts.defaultCustomer(inertLine(defaultCustomer))}
        </span>
      </TitleRow>
      <PageTabs
        label={texts.pagesOf(name)}
        tabs={TABS.map(({ tab, title }) => ({ to: pageOf(source.id, tab), title }))}
      />
    </>
  );
}
