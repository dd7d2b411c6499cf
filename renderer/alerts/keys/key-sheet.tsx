import { Switch } from '@blueprintjs/core';
import type { AlertAction, Keyed } from '#renderer/alerts/actions/action.ts';
import { ACTIONS, LIST_KEYS, keyLabel } from '#renderer/alerts/actions/action-table.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { SEVERITY_LABELS } from '#renderer/alerts/data/problem-labels.ts';
import { GROUP_KEYS } from '#renderer/alerts/groups/group-keys.ts';
import { useSingleKeys } from '#renderer/lib/single-keys.ts';
import { useSession } from '#renderer/session/session.ts';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { MANAGER_ROLES } from '#renderer/lib/paths.ts';
import { FOLDERS_KEY, HAND_OVER_KEY, destinationsOf } from './destinations.ts';
import { SCREEN_KEYS } from './screen-keys.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './key-sheet-texts.ts';
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
    texts.move,
    [
      rowOf(next),
      rowOf(previous),
      { label: texts.openDetails, keys: ['Enter'] },
      { label: texts.closeClearSelection, keys: ['Esc'] },
      { label: texts.search, keys: ['/'] },
      { label: texts.commands, keys: ['Ctrl', 'K'] },
      { label: texts.thisSheet, keys: ['?'] },
    ],
  ],
  [
    texts.act,
    [
      ...actionRows('Act'),
      ...Object.values(GROUP_KEYS).map(rowOf),
      rowOf(HAND_OVER_KEY),
      { label: common.undo, keys: ['Z'] },
    ],
  ],
  [texts.select, [rowOf(select), rowOf(extend), { label: texts.allThatMatch, keys: ['Ctrl', 'A'] }]],
  [texts.look, actionRows('Look')],
];

/** What pages of administrators have keys for. */
const ADMIN_PAGES: [string, readonly SheetRow[]] = [
  texts.adminPages,
  [rowOf(SCREEN_KEYS.add), { label: SCREEN_KEYS.save.label, keys: ['Ctrl', 'Enter'] }],
];

/** What each mark of an alert means: the shape says the severity, the fill the state. */
const MARKS = [
  ...(['critical', 'high', 'warning', 'low', 'info'] as const).map(
    (severity) => [SEVERITY_LABELS[severity], { severity, state: 'firing' }] as const,
  ),
  [texts.acknowledged, { severity: 'critical', state: 'acknowledged' }],
  [texts.resolved, { severity: 'none', state: 'resolved' }],
] as const;

/** Every key and what it does, what the marks mean, with the switch for those without a modifier. */
export function KeySheet({ presence }: { presence: DialogPresence }) {
  const [areOn, setOn] = useSingleKeys();
  const { role } = useSession();
  const groups: [string, readonly SheetRow[]][] = [
    ...GROUPS,
    [
      texts.goTo,
      [...destinationsOf(role), FOLDERS_KEY].map(({ label, key }) => ({ label, keys: ['G', key.toUpperCase()] })),
    ],
    ...(MANAGER_ROLES.includes(role) ? [ADMIN_PAGES] : []),
  ];
  return (
    <DescribedDialog
      {...presence}
      className={styles.sheet}
      title={texts.keyboardShortcuts}
      subtitle={texts.keysHint}
      actions={
        <div className={styles.sheetFoot}>
          <Switch
            checked={areOn}
            label={texts.singleKeyShortcuts(areOn)}
            onChange={({ currentTarget }) => setOn(currentTarget.checked)}
          />
          <span>{texts.keysAreOffWhileYou}</span>
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
        <section aria-label={texts.severityAndState}>
          <h3>{texts.severityAndState}</h3>
          <ul className={styles.marks}>
            {MARKS.map(([label, problem]) => (
              <li key={label}>
                <SeverityMark {...problem} />
                {label}
              </li>
            ))}
          </ul>
        </section>
      </div>
    </DescribedDialog>
  );
}
