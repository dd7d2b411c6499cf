import {
  CodeIcon,
  HistoryIcon,
  DataConnectionIcon,
  FilterIcon,
  GlobeNetworkIcon,
  KeyIcon,
  ListIcon,
  PeopleIcon,
  PulseIcon,
  SendMessageIcon,
  WrenchIcon,
} from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Role } from '#backend/contract/session.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { useSession } from '#renderer/session/session.ts';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import { FlappingPanel } from './flapping-panel.tsx';
import { GroupingPanel } from './grouping-panel.tsx';
import { KeyWarning } from './key-warning.tsx';
import { LatencyPanel } from './latency-panel.tsx';
import { SourceCounts } from './source-counts.tsx';
import * as styles from './admin-page.module.css';

interface AdminCard {
  to: string;
  title: string;
  text: string;
  icon: ReactNode;
  /** Roles that may use it, and so see it. */
  roles: readonly Role[];
  /** What needs attention there. */
  counts?: ReactNode;
}

const CARDS: readonly AdminCard[] = [
  {
    to: '/admin/sources',
    title: common.sources,
    text: texts.whereAlertsComeFromAnd,
    icon: <DataConnectionIcon size={20} />,
    roles: ['admin'],
    counts: <SourceCounts />,
  },
  {
    to: '/admin/alerts',
    title: texts.allSystemAlerts,
    text: texts.everyAlertNoMatterWho,
    icon: <ListIcon size={20} />,
    roles: ['admin', 'super_user'],
  },
  {
    to: '/admin/users',
    title: texts.userManagement,
    text: texts.accountsPasswordsAndSignIn,
    icon: <PeopleIcon size={20} />,
    roles: ['admin'],
  },
  {
    to: '/admin/webhook',
    title: common.webhookEndpoint,
    text: texts.whereAndHowToSend,
    icon: <GlobeNetworkIcon size={20} />,
    roles: ['admin'],
  },
  {
    to: '/admin/api-keys',
    title: common.apiKeys,
    text: texts.apiKeysThatExternalSystems,
    icon: <KeyIcon size={20} />,
    roles: ['admin'],
  },
  {
    to: '/admin/service-tokens',
    title: common.serviceTokens,
    text: texts.tokensThatProgramsUseTo,
    icon: <CodeIcon size={20} />,
    roles: ['admin'],
  },
  {
    to: '/admin/audit',
    title: texts.audit,
    text: texts.whoDidWhatWhenAnd,
    icon: <HistoryIcon size={20} />,
    roles: ['admin'],
  },
  {
    to: PATHS.outgoing,
    title: pageTexts.outgoing,
    text: texts.whereAlertsAreSentAnd,
    icon: <SendMessageIcon size={20} />,
    roles: ['admin'],
  },
  {
    to: PATHS.heartbeats,
    title: pageTexts.heartbeats,
    text: texts.whatHasToCallAgain,
    icon: <PulseIcon size={20} />,
    roles: ['admin'],
  },
  {
    to: PATHS.maintenance,
    title: texts.maintenance,
    text: texts.whatIsKeptQuietAnd,
    icon: <WrenchIcon size={20} />,
    roles: ['admin'],
  },
  {
    to: PATHS.incomingRules,
    title: texts.rules,
    text: texts.whatIsDoneWithAlertsAs,
    icon: <FilterIcon size={20} />,
    roles: ['admin'],
  },
];

/** The Admin Panel: links to the admin pages that the member may use, and by which rules alerts are grouped, and how quick the server is. */
export function AdminPage() {
  const { role } = useSession();
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title={common.adminPanel} />
      <div className={panelStyles.pageBody}>
        <KeyWarning />
        <ul className={styles.adminCards}>
          {CARDS.filter(({ roles }) => roles.includes(role)).map(({ to, title, text, icon, counts }) => (
            <li key={to}>
              <Link className={styles.adminCard} to={to}>
                {icon}
                <span className={styles.words}>
                  <span className={styles.title}>{title}</span>
                  <span className={styles.text}>{text}</span>
                  {counts}
                </span>
              </Link>
            </li>
          ))}
        </ul>
        {role === 'admin' && <GroupingPanel />}
        {role === 'admin' && <FlappingPanel />}
        <LatencyPanel />
      </div>
    </div>
  );
}
