import { Dialog, InputGroup } from '@blueprintjs/core';
import { SearchIcon } from '@blueprintjs/icons';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useInboxCount, useMyAlertsCount } from '#renderer/alerts/data/alert-queries.ts';
import { destinationsOf } from '#renderer/alerts/keys/destinations.ts';
import { type Command, type CommandGroup, commandsLike } from '#renderer/alerts/keys/list-commands.ts';
import { pathTo } from '#renderer/folders/data/folder-rows.ts';
import { useFolderTree } from '#renderer/folders/data/use-folder-tree.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ADMIN_ROLES, MANAGER_ROLES, PATHS } from '#renderer/lib/paths.ts';
import { focusSearchField } from '#renderer/lib/search-target.ts';
import { useSession } from '#renderer/session/session.ts';
import { pathOfView, useViews } from '#renderer/views/views.ts';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import * as styles from './command-palette.module.css';

/** No tag has a list that is worked from the field beside it (WAI-ARIA practices, "Combobox pattern"). */
const COMBOBOX = { role: 'combobox', 'aria-expanded': true };
const LISTBOX = { role: 'listbox' };
const groupProps = (label: string) => ({ role: 'group', 'aria-label': label });
const optionProps = (isActive: boolean) => ({ role: 'option', 'aria-selected': isActive });

interface CommandPaletteProps {
  presence: DialogPresence;
  /** What the list offered when the palette was opened: its focus is in the palette since. Or folders, and nothing else. */
  scope: readonly CommandGroup[] | 'folders';
}

/** Everything that can be done now, found by typing: what the list offers, and every place. */
export function CommandPalette({ presence, scope }: CommandPaletteProps) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const isFolders = scope === 'folders';
  const { places, folders } = usePlaces();
  const groups = commandsLike(text, isFolders ? [folders] : [...scope.slice(0, 1), places, ...scope.slice(1)]);
  const commands = groups.flatMap((group) => group.commands);

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });

  const run = (command: Command | undefined): void => {
    if (!command) return;
    presence.onClose();
    // Once the focus is back where it came from: a command may open what belongs to it.
    requestAnimationFrame(command.run);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const count = Math.max(commands.length, 1);
    const keys: Record<string, (() => void) | undefined> = {
      ArrowDown: () => setActive((active + 1) % count),
      ArrowUp: () => setActive((active + count - 1) % count),
      Enter: () => run(commands[active]),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <Dialog
      {...presence}
      onOpening={() => field.current?.focus()}
      className={styles.palette}
      aria-labelledby={`${id}-name`}
    >
      <h2 id={`${id}-name`} className="ad-hidden">
        {isFolders ? 'Folders' : 'Commands'}
      </h2>
      <InputGroup
        className={styles.field}
        leftElement={<SearchIcon />}
        inputRef={field}
        {...COMBOBOX}
        aria-label={isFolders ? 'Folder' : 'Command or folder'}
        aria-controls={`${id}-list`}
        aria-activedescendant={commands.length > 0 ? `${id}-${active}` : undefined}
        placeholder={isFolders ? 'Type the name of a folder' : 'Type a command or folder'}
        value={text}
        onValueChange={(value) => {
          setText(value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={`${id}-list`} {...LISTBOX} aria-label="Commands" className={styles.list}>
        {groups.map(({ heading, commands: some }) => (
          <div key={heading} {...groupProps(heading)}>
            <div className={styles.heading} aria-hidden="true">
              {heading}
            </div>
            {some.map((command) => {
              const at = commands.indexOf(command);
              return (
                <button
                  key={`${at} ${command.label}`}
                  id={`${id}-${at}`}
                  type="button"
                  tabIndex={-1}
                  {...optionProps(at === active)}
                  className={styles.command}
                  onPointerMove={() => setActive(at)}
                  onClick={() => run(command)}
                >
                  <span className={styles.label}>{command.label}</span>
                  {command.count !== undefined && command.count > 0 && (
                    <span className={styles.count}>{command.count.toLocaleString('en')}</span>
                  )}
                  <span className={styles.keys} aria-hidden="true">
                    {command.keys.map((key) => (
                      <kbd key={key} className="ad-kbd">
                        {key}
                      </kbd>
                    ))}
                  </span>
                </button>
              );
            })}
          </div>
        ))}
        {commands.length === 0 && (
          <p className={styles.none}>{isFolders && text === '' ? 'No folders yet' : 'Nothing is called that.'}</p>
        )}
      </div>
      <div className={styles.foot}>
        <span>
          <kbd className="ad-kbd">↑</kbd> <kbd className="ad-kbd">↓</kbd> move
        </span>
        <span>
          <kbd className="ad-kbd">Enter</kbd> run
        </span>
        <span>
          <kbd className="ad-kbd">Esc</kbd> close
        </span>
        <output className={styles.total}>{countLabel(commands.length, isFolders ? 'folder' : 'command')}</output>
      </div>
    </Dialog>
  );
}

const countLabel = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Every screen and folder of the member, and the folders by themselves. */
function usePlaces(): { places: CommandGroup; folders: CommandGroup } {
  const { role } = useSession();
  const navigate = useNavigate();
  const counts: Record<string, number | undefined> = {
    [PATHS.inbox]: useInboxCount(),
    [PATHS.myAlerts]: useMyAlertsCount(),
  };
  const rows = useFolderTree() ?? [];
  const { views = [] } = useViews();
  const names = new Map(rows.map(({ folder }) => [folder.id, inertLine(folder.name)]));
  const pathOf = (id: string): string =>
    pathTo(rows, id)
      .toReversed()
      .map((one) => names.get(one))
      .join(' › ');
  const to = (label: string, path: string, keys: readonly string[] = [], count = counts[path]): Command => ({
    label,
    keys,
    count,
    run: () => void navigate(path),
  });
  const folders = rows.map(({ folder: { id, alertCount } }) =>
    to(pathOf(id), PATHS.folder.replace(':id', id), [], alertCount),
  );
  const commands = [
    { label: 'Search alerts', keys: ['/'], run: () => void (focusSearchField() || navigate(PATHS.inbox)) },
    ...destinationsOf(role).map(({ label, path, key }) => to(label, path, ['G', key.toUpperCase()])),
    ...views.map(({ id, name, alerts }) => to(inertLine(name), pathOfView(id), [], alerts ?? undefined)),
    ...folders,
    ...(folders.length > 0 ? [to('My Folders', PATHS.allFolders)] : []),
    to('My account', PATHS.account),
    to('Settings', PATHS.settings),
    ...(ADMIN_ROLES.includes(role) ? [to('Admin Panel', PATHS.admin)] : []),
    ...(MANAGER_ROLES.includes(role)
      ? [
          to('Users', PATHS.users),
          to('Sources', PATHS.sources),
          to('API Keys', PATHS.apiKeys),
          to('Webhook Endpoint', PATHS.webhookEndpoint),
        ]
      : []),
  ];
  return { places: { heading: 'Go to', commands }, folders: { heading: 'Folders', commands: folders } };
}
