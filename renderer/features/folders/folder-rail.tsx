import { Tooltip } from '@blueprintjs/core';
import { NavLink } from 'react-router-dom';
import { badgeText } from '#renderer/lib/badge-text.ts';
import { folderTarget } from '#renderer/lib/drag.ts';
import type { FolderRow } from '#renderer/lib/folders/folder-tree.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useWayTo } from '#renderer/lib/screen-memory.ts';
import { FolderDot } from '#renderer/ui/folder-dot/folder-dot.tsx';

/** The folders while the sidebar shows icons only: the top level as dots, name and count in a tooltip (tokens.md, "Frame"). */
export function FolderRail({ rows }: { rows: readonly FolderRow[] }) {
  const wayTo = useWayTo();
  return (
    <ul className="ad-folder-rail" aria-label="Folders">
      {rows
        .filter(({ depth }) => depth === 0)
        .map(({ folder: { id, name, color, alertCount } }) => {
          const badge = badgeText(alertCount);
          return (
            <li key={id}>
              <Tooltip
                className="ad-nav-target"
                content={
                  <>
                    <bdi>{inertLine(name)}</bdi>
                    {badge && <span className="ad-nav-tooltip-count">{badge}</span>}
                  </>
                }
                hoverOpenDelay={0}
                placement="right"
              >
                <NavLink className="ad-nav-item" to={wayTo(`/folder/${id}`)} data-drop-target={folderTarget(id)}>
                  <FolderDot color={color} size={10} />
                  <span className="ad-nav-label">{inertLine(name)}</span>
                </NavLink>
              </Tooltip>
            </li>
          );
        })}
    </ul>
  );
}
