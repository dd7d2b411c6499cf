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
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as texts from './texts.ts';

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
    <MenuList label={texts.actionsFor(source.name)}>
      {isInList && (
        <MenuItem icon={<ArrowRightIcon />} text={texts.open} onClick={() => void navigate(pageOf(source.id))} />
      )}
      <MenuItem icon={<LinkIcon />} text={sourceTexts.copyAddress} onClick={() => actions.copyAddress()} />
      {isInList && (
        <MenuItem icon={<SendMessageIcon />} text={pageTexts.sendTest} onClick={() => actions.sendTest(source)} />
      )}
      <MenuItem icon={<RefreshIcon />} text={sourceTexts.rotateApiKey} onClick={() => actions.rotate(source)} />
      {isInList && (
        <MenuItem
          icon={isPaused ? <PlayIcon /> : <PauseIcon />}
          text={isPaused ? texts.resume : texts.pause}
          onClick={() => actions.pause(source, !isPaused)}
        />
      )}
      <MenuDivider />
      <MenuItem
        icon={<TrashIcon />}
        intent="danger"
        text={common.deleteAction}
        onClick={() => actions.remove(source)}
      />
    </MenuList>
  );
}
