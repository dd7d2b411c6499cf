import type { FolderColor } from '#backend/contract/folder.ts';
import classNames from 'classnames';
import * as styles from './folder-dot.module.css';

/** A folder's colour as a dot: 8 px in rows, 10 px with icons only, 12 px beside a page’s title, 32 px as a swatch. */
export function FolderDot({ color, size = 8 }: { color: FolderColor; size?: 8 | 10 | 12 | 32 }) {
  return (
    <span
      className={classNames(styles.folderDot, styles[`folderDot_${color}`])}
      style={{ width: size, height: size }}
      data-folder-dot
      aria-hidden
    />
  );
}
