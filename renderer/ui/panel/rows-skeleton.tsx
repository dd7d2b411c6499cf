import { Classes } from '@blueprintjs/core';
import './panel.css';

const WIDTHS = [180, 132, 208, 156];

/** Bars in the place of rows that are on their way; seen after 150 ms, so that a quick answer does not flash. */
export function RowsSkeleton({ label, isSheet = false }: { label: string; isSheet?: boolean }) {
  return (
    <>
      <output className="ad-hidden">Loading {label}…</output>
      <div className={`ad-rows ad-rows-loading${isSheet ? ' ad-rows--sheet' : ''}`} aria-hidden>
        {WIDTHS.map((width) => (
          <div key={width} className="ad-row">
            <span className={Classes.SKELETON} style={{ width }} />
          </div>
        ))}
      </div>
    </>
  );
}
