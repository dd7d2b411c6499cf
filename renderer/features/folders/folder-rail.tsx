import { NavLink } from 'react-router-dom';
import { folderTarget } from '#renderer/lib/drag.ts';
import type { FolderRow } from '#renderer/lib/folders/folder-tree.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useWayTo } from '#renderer/lib/screen-memory.ts';
import { railTip } from '#renderer/ui/hover-tip/use-hover-tip.ts';
import { FolderDot } from '#renderer/ui/folder-dot/folder-dot.tsx';

/** The folders while the sidebar shows icons only: the top level as dots, name and count in a tooltip. */
export function FolderRail({ rows }: { rows: readonly FolderRow[] }) {
  const wayTo = useWayTo();
  return (
    <ul className="ad-folder-rail" aria-label="Folders">
      {rows
        .filter(({ depth }) => depth === 0)
        .map(({ folder: { id, name, color, alertCount } }) => (
          <li key={id}>
            <NavLink
              className="ad-nav-item"
              to={wayTo(`/folder/${id}`)}
              data-drop-target={folderTarget(id)}
              {...railTip(inertLine(name), alertCount)}
            >
              <FolderDot color={color} size={10} />
              <span className="ad-nav-label">{inertLine(name)}</span>
            </NavLink>
          </li>
        ))}
    </ul>
  );
}
