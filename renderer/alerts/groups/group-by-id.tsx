import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { AlertGroupDetails } from '#backend/contract/alert-group.ts';
import { alertTitle } from '#renderer/alerts/data/alert-labels.ts';
import { useAlertDetails } from '#renderer/alerts/data/alert-details.ts';
import { useOpenTitle } from '#renderer/alerts/panel/open-alert.tsx';
import { ADMIN_ROLES } from '#renderer/lib/paths.ts';
import { useSession } from '#renderer/session/session.ts';
import { LoadError } from '#renderer/ui/empty-state.tsx';
import { useGroupCommands } from './group-commands.ts';
import { type GroupList, foundGroupQuery, refetchGroups } from './group-data.ts';
import type { GroupInfo } from './group-heads.ts';
import { GroupBody, usePanelKeys } from './group-panel.tsx';
import * as texts from './texts.ts';
import * as panelStyles from '#renderer/alerts/panel/alert-panel.module.css';

interface GroupByIdProps {
  id: string;
  /** What is shown where no list of this member has an alert of such a group. */
  children: ReactNode;
  /** What is shown while it is looked for. */
  loading: ReactNode;
  /** Called with whether the id is that of a group that has alerts, and again when that changes. */
  onFound?: ((isFound: boolean) => void) | undefined;
}

/** A group that an address names, as the first list of this member has it that has alerts of it. */
export function GroupById({ id, children, loading, onFound }: GroupByIdProps) {
  const { role } = useSession();
  const { data: found, error, refetch } = useQuery(foundGroupQuery(id, ADMIN_ROLES.includes(role)));
  const isFound = found?.group !== undefined;
  useEffect(() => {
    onFound?.(isFound);
  }, [isFound, onFound]);
  if (found?.group) return <FoundGroup key={id} list={found.list} group={found.group} />;
  if (found) return children;
  if (!error) return loading;
  return (
    <div className={panelStyles.body}>
      <LoadError what={texts.group} error={error} onRetry={() => void refetch()} />
    </div>
  );
}

function FoundGroup({ list, group }: { list: GroupList['list']; group: AlertGroupDetails }) {
  const [first] = group.members;
  const { known } = useAlertDetails(first?.id ?? '');
  useRefetchAtChange(known?.alert.version);
  // The last that was known of the group: what can be done stays on screen when that one is taken out, until the next is read.
  const [ofGroup, setOfGroup] = useState<Alert>();
  if (known?.alert.groupId === group.id && known.alert !== ofGroup) setOfGroup(known.alert);
  const alerts = useMemo(() => (ofGroup ? [ofGroup] : []), [ofGroup]);
  const info = useRef<GroupInfo>(undefined);
  useEffect(() => {
    info.current = { loaded: alerts, count: group.alerts, group };
  }, [alerts, group]);
  const infoOf = useMemo(() => () => info.current, []);
  const asked = useMemo((): GroupList => ({ list }), [list]);
  const commands = useGroupCommands(asked, infoOf);
  const body = useRef<HTMLDivElement>(null);
  usePanelKeys(body);
  useOpenTitle(first && alertTitle(first));
  return <GroupBody ref={body} group={group} commands={commands} alerts={alerts} />;
}

/** Asks again for the group once its first alert has changed: what was done with all of them is done with that one, too. */
function useRefetchAtChange(version: number | undefined): void {
  const client = useQueryClient();
  const before = useRef(version);
  useEffect(() => {
    if (before.current !== undefined && version !== undefined && version !== before.current) refetchGroups(client);
    before.current = version;
  }, [client, version]);
}
