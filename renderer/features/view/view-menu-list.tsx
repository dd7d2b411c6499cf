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
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';

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
    <MenuList label={texts.view}>
      <MenuDivider title={texts.notifications} />
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
  const share = view.list === 'all' ? pageTexts.shareWithAdministrators : pageTexts.shareWithEveryone;
  const at = group.findIndex(({ id }) => id === view.id);
  return (
    <>
      <MenuDivider />
      <MenuItem icon={<EditIcon />} text={texts.renameAction} onClick={onRename} />
      {isAdmin && (
        <MenuItem
          icon={view.isShared ? <PersonIcon /> : <PeopleIcon />}
          text={view.isShared ? texts.makePrivate : share}
          onClick={() => void change(view, { isShared: !view.isShared })}
        />
      )}
      <MenuItem
        icon={<ArrowUpIcon />}
        text={texts.moveUp}
        disabled={at === 0}
        onClick={() => void move(views, view, -1)}
      />
      <MenuItem
        icon={<ArrowDownIcon />}
        text={texts.moveDown}
        disabled={at === group.length - 1}
        onClick={() => void move(views, view, 1)}
      />
      <MenuDivider />
      <MenuItem
        icon={<TrashIcon />}
        text={common.deleteAction}
        intent="danger"
        onClick={() => {
          remove(view);
          void navigate(view.list === 'mine' ? PATHS.myAlerts : view.list === 'all' ? PATHS.allAlerts : PATHS.inbox);
        }}
      />
    </>
  );
}
