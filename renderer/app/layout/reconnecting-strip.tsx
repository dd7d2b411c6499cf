import { useAtomValue } from 'jotai';
import { delayedAtom, reloadReasonAtom, resyncAtom, useConnection } from '#renderer/lib/connection.ts';
import { MOBILE, useMediaQuery } from '#renderer/lib/use-media-query.ts';
import classNames from 'classnames';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as styles from './reconnecting-strip.module.css';

/** What each notice says, and in the header of a small screen. */
const NOTICES = {
  behind: { words: texts.someAlertsMayBeMissing, short: texts.mayBeIncomplete, action: common.tryAgain },
  'new-version': { words: common.newVersionIsAvailable, short: texts.newVersion, action: texts.reload },
  'missing-part': { words: texts.partOfThisPageCould, short: texts.notFullyLoaded, action: texts.reload },
};

/**
 * Says that the live connection is lost, that alerts may be missing, that the page should be loaded again, or that live
 * updates are delayed, over the
 * page's top padding: nothing moves for it. One thing at a time, the worst first.
 */
export function ReconnectingStrip() {
  const isLost = useConnection() === 'disconnected';
  const { isBehind, retry } = useAtomValue(resyncAtom);
  const reloadReason = useAtomValue(reloadReasonAtom);
  const isDelayed = useAtomValue(delayedAtom);
  const isSmall = useMediaQuery(MOBILE);
  const kind = isBehind ? 'behind' : reloadReason;
  const notice = kind && NOTICES[kind];
  return (
    <output className={styles.place}>
      {isLost ? (
        <span className={styles.strip}>{texts.reconnecting}</span>
      ) : notice ? (
        <span className={classNames(styles.strip, !isBehind && styles.strip_news)}>
          {isSmall ? notice.short : notice.words}
          <button type="button" className={styles.action} onClick={isBehind ? retry : () => window.location.reload()}>
            {notice.action}
          </button>
        </span>
      ) : isDelayed ? (
        <span className={`${styles.strip} ${styles.strip_news}`}>
          {isSmall ? texts.updatesDelayed : texts.liveUpdatesAreDelayed}
        </span>
      ) : null}
    </output>
  );
}
