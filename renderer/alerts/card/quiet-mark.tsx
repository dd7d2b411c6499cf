import { WrenchIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import classNames from 'classnames';
import type { Alert } from '#backend/contract/alert.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatMoment } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { windowsQuery } from '#renderer/maintenance/maintenance-data.ts';
import * as texts from './quiet-texts.ts';
import * as cardStyles from './alert-card.module.css';
import * as tagStyles from './outlined-tag.module.css';
import * as styles from './quiet-mark.module.css';

type QuietBy = NonNullable<Alert['quietBy']>;

/** Until when the window is on that keeps an alert quiet: "10:00 PM"; undefined where a rule does, which has no end. */
function useQuietEnd({ id }: QuietBy): string | undefined {
  const { data } = useQuery(windowsQuery);
  const endsAt = data?.find(({ current }) => current?.id === id)?.current?.endsAt;
  return useNow((now) => (endsAt === undefined ? undefined : formatMoment(new Date(endsAt), now)));
}

/**
 * What keeps an alert quiet, with a wrench where it is a window, and until when nobody is notified.
 *
 * @param isSpoken for the end of a card's name, as a sentence: "Kept quiet by Database upgrade until 10:00 PM."
 */
export function QuietMark({ quietBy, isSpoken = false }: { quietBy: QuietBy; isSpoken?: boolean }) {
  const end = useQuietEnd(quietBy);
  const name = inertLine(quietBy.name);
  if (isSpoken) return texts.spoken(name, end);
  const fact = texts.fact(end);
  return (
    <>
      <span className={classNames(tagStyles.tag, styles.tag)} data-tip={name}>
        {end !== undefined && <WrenchIcon size={12} />}
        <span className={styles.name}>{name}</span>
      </span>
      <span className={classNames(cardStyles.fact, styles.until)} data-tip={fact}>
        {fact}
      </span>
    </>
  );
}
