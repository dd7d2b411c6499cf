import { Classes } from '@blueprintjs/core';
import * as styles from '#renderer/ui/panel/panel.module.css';

/** Bars in the columns of the list, for three sources, while it loads. */
export function SourcesSkeleton() {
  return (
    <>
      <output className="ad-hidden">Loading sources…</output>
      <div className={`ad-table ${styles.rows_sheet} ${styles.rowsLoading}`} aria-hidden>
        {[128, 96, 152].map((width) => (
          <div key={width} className="ad-source-row ad-table-row">
            <div className="ad-source-who">
              <span className={`ad-sender ${Classes.SKELETON}`} />
              <span className="ad-source-names ad-source-bars">
                <span className={Classes.SKELETON} style={{ width }} />
                <span className={Classes.SKELETON} style={{ width: 72 }} />
              </span>
            </div>
            <div className="ad-source-health ad-source-bars">
              <span className={Classes.SKELETON} style={{ width: 88 }} />
            </div>
            <div className="ad-source-day ad-source-bars">
              <span className={Classes.SKELETON} style={{ width: 120 }} />
            </div>
          </div>
        ))}
      </div>
    </>
  );
}
