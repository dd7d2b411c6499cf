import { PopupKind } from '@blueprintjs/core';
import { MoreIcon } from '@blueprintjs/icons';
import type { View } from '#backend/contract/view.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { RenameViewDialog } from './rename-view-dialog.tsx';
import { ViewMenuList } from './view-menu-list.tsx';
import * as texts from './texts.ts';

const loadMenu = async () => ViewMenuList;

/** What can be done with a view: its name, who sees it, its place, its end. */
export function ViewMenu({ view, views }: { view: View; views: readonly View[] }) {
  const rename = useDialog();
  return (
    <>
      <PopupButton
        placement="bottom-end"
        popupKind={PopupKind.MENU}
        load={loadMenu}
        content={{ view, views, onRename: () => rename.open(true) }}
        button={{
          variant: 'minimal',
          icon: <MoreIcon />,
          'aria-label': texts.menuOfView(inertLine(view.name)),
        }}
      />
      {rename.shown && <RenameViewDialog key={rename.shown.key} presence={rename.shown.presence} view={view} />}
    </>
  );
}
