import { MenuDivider, MenuItem } from '@blueprintjs/core';
import {
  ArrowRightIcon,
  LinkIcon,
  PauseIcon,
  PlayIcon,
  RefreshIcon,
  SendMessageIcon,
  TrashIcon,
} from '@blueprintjs/icons';
import { useNavigate } from 'react-router-dom';
import type { Source } from '#backend/contract/source.ts';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import type { SourceActions } from './use-source-actions.ts';
import { pageOf } from './source-addresses.ts';

export interface SourceMenuProps {
  source: Source;
  actions: SourceActions;
  /** In the list; on the source's own page some of it has buttons. */
  isInList: boolean;
}

/** What can be done with a source. */
export function SourceMenu({ source, actions, isInList }: SourceMenuProps) {
  const navigate = useNavigate();
  const isPaused = source.pausedAt !== null;
  return (
    <MenuList label={`Actions for ${source.name}`}>
      {isInList && <MenuItem icon={<ArrowRightIcon />} text="Open" onClick={() => void navigate(pageOf(source.id))} />}
      <MenuItem icon={<LinkIcon />} text="Copy address" onClick={() => actions.copyAddress()} />
      {isInList && <MenuItem icon={<SendMessageIcon />} text="Send test" onClick={() => actions.sendTest(source)} />}
      <MenuItem icon={<RefreshIcon />} text="Rotate API key" onClick={() => actions.rotate(source)} />
      {isInList && (
        <MenuItem
          icon={isPaused ? <PlayIcon /> : <PauseIcon />}
          text={isPaused ? 'Resume' : 'Pause'}
          onClick={() => actions.pause(source, !isPaused)}
        />
      )}
      <MenuDivider />
      <MenuItem icon={<TrashIcon />} intent="danger" text="Delete" onClick={() => actions.remove(source)} />
    </MenuList>
  );
}
