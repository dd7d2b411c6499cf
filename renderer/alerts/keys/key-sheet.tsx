import { Switch } from '@blueprintjs/core';
import type { AlertAction, Keyed } from '#renderer/alerts/actions/action.ts';
import { ACTIONS, LIST_KEYS, keyLabel } from '#renderer/alerts/actions/action-table.ts';
import { useSingleKeys } from '#renderer/lib/single-keys.ts';
import { useSession } from '#renderer/session/session.ts';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { FOLDERS_KEY, HAND_OVER_KEY, destinationsOf } from './destinations.ts';
import * as styles from './key-sheet.module.css';

/** One row of the sheet: what is done, and by which keys, one after the other. */
interface SheetRow {
  label: string;
  keys: readonly string[];
}

const { next, previous, select, extend } = LIST_KEYS;
const rowOf = (one: Keyed): SheetRow => ({ label: one.label, keys: [keyLabel(one)] });
const actionRows = (group: AlertAction['group']): SheetRow[] =>
  ACTIONS.filter((action) => action.group === group && action.key !== undefined).map(rowOf);

/** What lists and their alerts have keys for. */
const GROUPS: readonly [string, readonly SheetRow[]][] = [
  [
    'Move',
    [
      rowOf(next),
      rowOf(previous),
      { label: 'Open details', keys: ['Enter'] },
      { label: 'Close, clear selection', keys: ['Esc'] },
      { label: 'Search', keys: ['/'] },
      { label: 'Commands', keys: ['Ctrl', 'K'] },
      { label: 'This sheet', keys: ['?'] },
    ],
  ],
  ['Act', [...actionRows('Act'), rowOf(HAND_OVER_KEY), { label: 'Undo', keys: ['Z'] }]],
  ['Select', [rowOf(select), rowOf(extend), { label: 'All that match', keys: ['Ctrl', 'A'] }]],
  ['Look', actionRows('Look')],
];

/** Every key and what it does, with the switch for those without a modifier. */
export function KeySheet({ presence }: { presence: DialogPresence }) {
  const [areOn, setOn] = useSingleKeys();
  const { role } = useSession();
  const groups: [string, readonly SheetRow[]][] = [
    ...GROUPS,
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
      subtitle="They act on the focused card, or on all selected cards."
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
