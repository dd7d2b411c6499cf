import { Classes } from '@blueprintjs/core';
import * as texts from './texts.tsx';
import * as tableStyles from '#renderer/features/sources/shown/table.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './source-row.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';

/** Bars in the columns of the list, for three sources, while it loads. */
export function SourcesSkeleton() {
  return (
    <>
      <output className="ad-hidden">{texts.loadingSources}</output>
      <div className={`${tableStyles.table} ${panelStyles.rows_sheet} ${panelStyles.rowsLoading}`} aria-hidden>
        {[128, 96, 152].map((width) => (
          <div key={width} className={`${styles.row} ${tableStyles.row}`}>
            <div className={styles.who}>
              <span className={`${sourcesStyles.sender} ${Classes.SKELETON}`} />
              <span className={`${styles.names} ${styles.bars}`}>
                <span className={Classes.SKELETON} style={{ width }} />
                <span className={Classes.SKELETON} style={{ width: 72 }} />
              </span>
            </div>
            <div className={`${styles.health} ${styles.bars}`}>
              <span className={Classes.SKELETON} style={{ width: 88 }} />
            </div>
            <div className={`${styles.day} ${styles.bars}`}>
              <span className={Classes.SKELETON} style={{ width: 120 }} />
            </div>
          </div>
        ))}
      </div>
    </>
  );
}
