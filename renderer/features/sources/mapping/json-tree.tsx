import { MenuItem, PopupKind } from '@blueprintjs/core';
import { type CSSProperties, memo } from 'react';
import type { MappedField, MappingPart } from '#backend/contract/mapping.ts';
import type { JsonLine, JsonNode } from '#renderer/lib/json-lines.ts';
import { mappingPath } from '#renderer/features/sources/shown/json-paths.ts';
import { keyed } from '#renderer/features/sources/shown/keyed.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import { MAPPED_FIELDS, PART_LABELS } from './mapping-draft.ts';
import * as texts from './texts.ts';
import * as codeBoxStyles from '#renderer/features/sources/shown/code-box.module.css';
import * as styles from './json-tree.module.css';

interface JsonTreeProps {
  root: JsonNode;
  lines: readonly JsonLine[];
  /** Steps to the element of the alert that is looked at; none where it is the body. */
  element: readonly string[];
  /** By number of the line: the fields that use its value. */
  uses: ReadonlyMap<number, readonly MappingPart[]>;
  onUse: (field: MappedField, path: string) => void;
}

/** Most lines that are drawn; a mapping names what stands near the top. */
const MOST = 400;

const loadUseMenu = async () => UseMenu;

/** The body of a delivery as a tree: which field uses a value, and a button to use another one. */
export const JsonTree = memo(function JsonTree({ root, lines, element, uses, onUse }: JsonTreeProps) {
  return (
    <ScrollRegion label={texts.bodyOfDelivery} className={styles.lines}>
      {keyed(lines.slice(0, MOST)).map(({ key, item: line }) => {
        const fields = uses.get(Number(key)) ?? [];
        const path = line.isLeaf ? mappingPath(root, line.path, element) : '';
        return (
          <div key={key} className={styles.line} style={{ '--ad-tree-depth': line.depth } as CSSProperties}>
            <span className={styles.text} data-tip={inertLine(line.text)}>
              {line.name !== undefined && (
                <span className={codeBoxStyles.code_name}>{inertLine(line.name.slice(1, -1))}: </span>
              )}
              {inertLine(line.text.replace(/,$/, ''))}
            </span>
            {fields.length > 0 && (
              <span className={styles.uses}>{fields.map((field) => PART_LABELS[field]).join(', ')}</span>
            )}
            {path !== '' && (
              <PopupButton
                className={styles.use}
                placement="bottom-end"
                popupKind={PopupKind.MENU}
                onOpening={focusMenu}
                load={loadUseMenu}
                content={{ path, onUse }}
                button={{
                  className: styles.useButton,
                  text: texts.chooseField,
                  'aria-label': texts.chooseFieldFor(path),
                }}
              />
            )}
          </div>
        );
      })}
      {lines.length > MOST && <p className={styles.rest}>{texts.moreLines(lines.length - MOST)}</p>}
    </ScrollRegion>
  );
});

function UseMenu({ path, onUse }: { path: string; onUse: JsonTreeProps['onUse'] }) {
  return (
    <MenuList label={texts.fieldsFor(path)}>
      {MAPPED_FIELDS.map((field) => (
        <MenuItem key={field} text={PART_LABELS[field]} onClick={() => onUse(field, path)} />
      ))}
    </MenuList>
  );
}
