import { Switch } from '@blueprintjs/core';
import { useSingleKeys } from '#renderer/lib/single-keys.ts';
import { useSession } from '#renderer/session/session.ts';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { FOLDERS_KEY, KEY_TABLE, destinationsOf, keyLabel } from './key-table.ts';
import * as styles from './key-sheet.module.css';

/** One row of the sheet: what is done, and by which keys, one after the other. */
interface SheetRow {
  label: string;
  keys: readonly string[];
}

/** Keys that do not stand in the table, because they need a modifier or belong to the page. */
const MORE: Record<string, readonly SheetRow[]> = {
  Move: [
    { label: 'Open details', keys: ['Enter'] },
    { label: 'Close, clear selection', keys: ['Esc'] },
    { label: 'Search', keys: ['/'] },
    { label: 'Commands', keys: ['Ctrl', 'K'] },
    { label: 'This sheet', keys: ['?'] },
  ],
  Act: [{ label: 'Undo', keys: ['Z'] }],
  Select: [{ label: 'All that match', keys: ['Ctrl', 'A'] }],
};

const GROUPS = ['Move', 'Act', 'Select', 'Look'] as const;

/** Every key and what it does, with the switch for those without a modifier. */
export function KeySheet({ presence }: { presence: DialogPresence }) {
  const [areOn, setOn] = useSingleKeys();
  const { role } = useSession();
  const groups: [string, readonly SheetRow[]][] = [
    ...GROUPS.map((group): [string, readonly SheetRow[]] => [
      group,
      [
        ...KEY_TABLE.filter((one) => one.group === group).map(({ label, action }) => ({
          label,
          keys: [keyLabel(action)],
        })),
        ...(MORE[group] ?? []),
      ],
    ]),
    [
      'Go to',
      [...destinationsOf(role), FOLDERS_KEY].map(({ label, key }) => ({ label, keys: ['G', key.toUpperCase()] })),
    ],
  ];
  return (
    <DescribedDialog
      {...presence}
      className={styles.sheet}
      title="Keyboard shortcuts"
      subtitle="They act on the focused card, or on all selected ones."
      actions={
        <div className={styles.sheetFoot}>
          <Switch
            checked={areOn}
            label={`Single-key shortcuts ${areOn ? 'On' : 'Off'}`}
            onChange={({ currentTarget }) => setOn(currentTarget.checked)}
          />
          <span>Keys are off while you type.</span>
        </div>
      }
    >
      <div className={styles.groups}>
        {groups.map(([name, rows]) => (
          <section key={name} aria-label={name}>
            <h3>{name}</h3>
            <dl>
              {rows.map(({ label, keys }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key} className="ad-kbd">
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </DescribedDialog>
  );
}
