import { Dialog } from '@blueprintjs/core';
import { SearchIcon } from '@blueprintjs/icons';
import classNames from 'classnames';
import { useId, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { countText } from '#backend/contract/count-text.ts';
import { useInboxCount, useMyAlertsCount } from '#renderer/alerts/data/alert-queries.ts';
import { keyLabel } from '#renderer/alerts/actions/action-table.ts';
import { HAND_OVER_KEY, destinationsOf, loadHandOver } from '#renderer/alerts/keys/destinations.ts';
import { useAsk } from '#renderer/ui/dialogs.tsx';
import {
  type Command,
  type CommandGroup,
  commandsLike,
  commandsOf,
} from '#renderer/alerts/keys/list-command-groups.ts';
import type { ListSubject } from '#renderer/alerts/keys/list-commands.ts';
import { type FolderRow, PATH_MARK, folderPaths } from '#renderer/folders/data/folder-rows.ts';
import { useFolderTree } from '#renderer/folders/data/use-folder-tree.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ADMIN_ROLES, MANAGER_ROLES, PATHS } from '#renderer/lib/paths.ts';
import { focusSearchField } from '#renderer/lib/search-target.ts';
import { useSession } from '#renderer/session/session.ts';
import { pathOfView, useViews } from '#renderer/views/views.ts';
import { Combobox, ComboboxOption, ComboboxOptions, ComboboxSearch } from '#renderer/ui/combobox/combobox.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as paletteTexts from './palette-texts.ts';
import * as texts from './texts.ts';
import * as styles from './command-palette.module.css';

const groupProps = (label: string) => ({ role: 'group', 'aria-label': label });

interface CommandPaletteProps {
  presence: DialogPresence;
  /** The list as it was when the palette was opened: its focus is in the palette since. Or folders, and nothing else. */
  scope: ListSubject | undefined | 'folders';
}

/** Everything that can be done now, found by typing: what the list offers, and every place. */
export function CommandPalette({ presence, scope }: CommandPaletteProps) {
  const [text, setText] = useState('');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const isFolders = scope === 'folders';
  const { places, folders } = usePlaces();
  const [[first, ...others]] = useState(() => (isFolders || !scope ? [] : commandsOf(scope)));
  const groups = commandsLike(text, isFolders ? [folders] : [...(first ? [first] : []), places, ...others]);
  const commands = groups.flatMap((group) => group.commands);

  const run = (command: Command): void => {
    presence.onClose();
    // Once the focus is back where it came from: a command may open what belongs to it.
    requestAnimationFrame(command.run);
  };
  return (
    <Dialog
      {...presence}
      onOpening={() => field.current?.focus()}
      className={styles.palette}
      aria-labelledby={`${id}-name`}
    >
      <h2 id={`${id}-name`} className="ad-hidden">
        {isFolders ? common.folders : paletteTexts.commands}
      </h2>
      <Combobox text={text}>
        <ComboboxSearch
          ref={field}
          className={styles.field}
          icon={<SearchIcon />}
          label={isFolders ? paletteTexts.folder : paletteTexts.commandOrFolder}
          placeholder={isFolders ? paletteTexts.typeNameOfFolder : paletteTexts.typeCommandOrFolder}
          text={text}
          onText={setText}
        />
        <ComboboxOptions aria-label={paletteTexts.commands} className={styles.list}>
          {groups.map(({ heading, commands: some }) => (
            <div key={heading} {...groupProps(heading)}>
              <div className={styles.heading} aria-hidden="true">
                {heading}
              </div>
              {some.map((command) => (
                <ComboboxOption
                  key={`${commands.indexOf(command)} ${command.label}`}
                  className={styles.command}
                  onClick={() => run(command)}
                >
                  <span className={classNames(styles.label, command.isPath && styles.label_path)} title={command.label}>
                    <bdi>{command.label}</bdi>
                  </span>
                  {command.count !== undefined && command.count > 0 && (
                    <span className={styles.count}>{countText(command.count)}</span>
                  )}
                  <span className={styles.keys} aria-hidden="true">
                    {command.keys.map((key) => (
                      <kbd key={key} className="ad-kbd">
                        {key}
                      </kbd>
                    ))}
                  </span>
                </ComboboxOption>
              ))}
            </div>
          ))}
          {commands.length === 0 && (
            <p className={styles.none}>{isFolders && text === '' ? common.noFoldersYet : paletteTexts.noResults}</p>
          )}
        </ComboboxOptions>
      </Combobox>
      <div className={styles.foot}>
        <span>
          <kbd className="ad-kbd">↑</kbd> <kbd className="ad-kbd">↓</kbd> {paletteTexts.move}
        </span>
        <span>
          <kbd className="ad-kbd">Enter</kbd> {paletteTexts.run}
        </span>
        <span>
          <kbd className="ad-kbd">Esc</kbd> {paletteTexts.close}
        </span>
        <output className={styles.total}>{countLabel(commands.length, isFolders ? 'folder' : 'command')}</output>
      </div>
    </Dialog>
  );
}

const countLabel = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const NO_ROWS: readonly FolderRow[] = [];

/** Every screen and folder of the member, and the folders by themselves. */
function usePlaces(): { places: CommandGroup; folders: CommandGroup } {
  const { role } = useSession();
  const navigate = useNavigate();
  const ask = useAsk();
  const counts: Record<string, number | undefined> = {
    [PATHS.inbox]: useInboxCount(),
    [PATHS.myAlerts]: useMyAlertsCount(),
  };
  const rows = useFolderTree() ?? NO_ROWS;
  const paths = useMemo(() => folderPaths(rows), [rows]);
  const { views = [] } = useViews();
  const to = (label: string, path: string, keys: readonly string[] = [], count = counts[path]): Command => ({
    label,
    keys,
    count,
    run: () => void navigate(path),
  });
  const folders = rows.map(({ folder: { id, alertCount } }): Command => {
    const name = (paths.get(id) ?? []).map(inertLine).join(PATH_MARK);
    return Object.assign(to(name, PATHS.folder.replace(':id', id), [], alertCount), { isPath: true });
  });
  const commands = [
    { label: paletteTexts.searchAlerts, keys: ['/'], run: () => void (focusSearchField() || navigate(PATHS.inbox)) },
    { label: HAND_OVER_KEY.label, keys: [keyLabel(HAND_OVER_KEY)], run: () => ask(loadHandOver, {}) },
    ...destinationsOf(role).map(({ label, to: where, key }): Command => {
      const keys = ['G', key.toUpperCase()];
      return typeof where === 'string' ? to(label, where, keys) : { label, keys, run: where };
    }),
    ...views.map(({ id, name, alerts }) => to(inertLine(name), pathOfView(id), [], alerts ?? undefined)),
    ...folders,
    ...(folders.length > 0 ? [to(pageTexts.myFolders, PATHS.allFolders)] : []),
    to(pageTexts.heartbeats, PATHS.heartbeats),
    to(paletteTexts.maintenance, PATHS.maintenance),
    to(texts.myAccount, PATHS.account),
    to('Settings', PATHS.settings),
    ...(ADMIN_ROLES.includes(role) ? [to(common.adminPanel, PATHS.admin)] : []),
    ...(MANAGER_ROLES.includes(role)
      ? [
          to('Users', PATHS.users),
          to('Sources', PATHS.sources),
          to(common.apiKeys, PATHS.apiKeys),
          to(common.webhookEndpoint, PATHS.webhookEndpoint),
          to(common.serviceTokens, PATHS.serviceTokens),
          to('Outgoing', PATHS.outgoing),
          to(paletteTexts.rules, PATHS.incomingRules),
          to(paletteTexts.audit, PATHS.audit),
        ]
      : []),
  ];
  return { places: { heading: paletteTexts.goTo, commands }, folders: { heading: common.folders, commands: folders } };
}
