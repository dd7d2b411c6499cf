import { pathOfAlert } from '#backend/contract/alert-news.ts';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { AlertView } from '#renderer/alerts/panel/alert-view.tsx';
import { CopyLink } from '#renderer/alerts/panel/panel-bar.tsx';
import { usePanelKeys } from '#renderer/alerts/panel/panel-keys.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { AcceptDialog } from './accept-dialog.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as styles from './alert-page.module.css';

/** What an alert's page leads back to. */
const PARENT = { to: PATHS.inbox, title: common.newAlerts } as const;

/** An alert on a page of its own, as its address leads to it. */
export function AlertPage() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const accepting = useDialog();
  const [group, setGroup] = useState<string>();
  const isGroup = group === id;
  const isAsked = params.has('accept');
  const { open } = accepting;
  useEffect(() => {
    if (isAsked) open(true);
  }, [isAsked, open]);
  const forget = (): void => setParams({}, { replace: true });
  const page = useRef<HTMLDivElement>(null);
  const leave = () => void navigate(PATHS.inbox);
  usePanelKeys({ panel: page, id, onRemoved: leave });
  return (
    <div ref={page} className={`${pageHeadStyles.page} ${styles.alertPage}`}>
      <PageHead title={isGroup ? texts.group : texts.alert} parent={PARENT}>
        <CopyLink path={pathOfAlert(id)} />
      </PageHead>
      <HoverTip className={styles.alertSheet}>
        <AlertView key={id} id={id} onRemoved={leave} onGroup={(is) => setGroup(is ? id : undefined)} />
      </HoverTip>
      {accepting.shown && (
        <AcceptDialog key={accepting.shown.key} id={id} presence={accepting.shown.presence} onDone={forget} />
      )}
    </div>
  );
}
