import { MenuDivider, MenuItem } from '@blueprintjs/core';
import {
  ArrowDownIcon,
  ArrowUpIcon,
  BlankIcon,
  EditIcon,
  PeopleIcon,
  PersonIcon,
  TickIcon,
  TrashIcon,
} from '@blueprintjs/icons';
import { useNavigate } from 'react-router-dom';
import { type View, viewNotifySchema } from '#backend/contract/view.ts';
import { ADMIN_ROLES, PATHS } from '#renderer/lib/paths.ts';
import { useSession } from '#renderer/session/session.ts';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { useViewCommands } from '#renderer/views/view-commands.ts';
import { NOTIFY_LABELS } from '#renderer/views/views.ts';

const radioProps = (isChecked: boolean) => ({ role: 'menuitemradio', 'aria-checked': isChecked }) as const;

interface ViewMenuListProps {
  view: View;
  /** All views, in the order of the sidebar. */
  views: readonly View[];
  onRename: () => void;
}

/** The menu of a view. A shared one is the administrators' to change. */
export function ViewMenuList({ view, views, onRename }: ViewMenuListProps) {
  const { role } = useSession();
  const { notify } = useViewCommands();
  const mayChange = ADMIN_ROLES.includes(role) || !view.isShared;
  return (
    <MenuList label="View">
      <MenuDivider title="Notifications" />
      {viewNotifySchema.options.map((one) => (
        <MenuItem
          key={one}
          {...radioProps(view.notify === one)}
          icon={view.notify === one ? <TickIcon /> : <BlankIcon />}
          text={NOTIFY_LABELS[one]}
          onClick={() => void notify(view, one)}
        />
      ))}
      {mayChange && <Changes view={view} views={views} onRename={onRename} />}
    </MenuList>
  );
}

/** Its name, who sees it, its place and its end. */
function Changes({ view, views, onRename }: ViewMenuListProps) {
  const { role } = useSession();
  const isAdmin = ADMIN_ROLES.includes(role);
  const navigate = useNavigate();
  const { change, move, remove } = useViewCommands();
  const group = views.filter(({ isShared }) => isShared === view.isShared);
  const at = group.findIndex(({ id }) => id === view.id);
  return (
    <>
      <MenuDivider />
      <MenuItem icon={<EditIcon />} text="Rename…" onClick={onRename} />
      {isAdmin && (
        <MenuItem
          icon={view.isShared ? <PersonIcon /> : <PeopleIcon />}
          text={view.isShared ? 'Make private' : 'Share with everyone'}
          onClick={() => void change(view, { isShared: !view.isShared })}
        />
      )}
      <MenuItem icon={<ArrowUpIcon />} text="Move up" disabled={at === 0} onClick={() => void move(views, view, -1)} />
      <MenuItem
        icon={<ArrowDownIcon />}
        text="Move down"
        disabled={at === group.length - 1}
        onClick={() => void move(views, view, 1)}
      />
      <MenuDivider />
      <MenuItem
        icon={<TrashIcon />}
        text="Delete"
        intent="danger"
        onClick={() => {
          remove(view);
          void navigate(view.list === 'mine' ? PATHS.myAlerts : view.list === 'all' ? PATHS.allAlerts : PATHS.inbox);
        }}
      />
    </>
  );
}
