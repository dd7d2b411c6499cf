import type { AlertSeverity } from '#backend/contract/alert.ts';
import { type AnnouncementSettings, type Verdict, judgeAt, noticeAbout } from '#backend/contract/announcement.ts';
import { isQuietAt } from '#backend/contract/quiet-hours.ts';

/** What of a notice matters that is no news of one alert. */
export interface NoticeFacts {
  /** Whether something was done for the member, or with what is theirs. */
  isMine: boolean;
  /** Also in quiet hours and pauses. */
  isUrgent?: boolean | undefined;
  /** The worst that it is about. */
  severity?: AlertSeverity | undefined;
  /** When it came, in milliseconds since the epoch; absent where that is not known. */
  cameAt?: number | undefined;
}

/**
 * Whether a page notifies of a notice: by the rules for alerts, but that no exception is about it.
 *
 * @param now milliseconds since the epoch
 */
export function verdictOnNotice(
  settings: AnnouncementSettings,
  { isMine, isUrgent = false, severity, cameAt }: NoticeFacts,
  now: number,
): Verdict {
  const { verdict } = judgeAt(settings, now)(noticeAbout(isMine, severity));
  if (isUrgent) return verdict === 'unwanted' ? verdict : 'yes';
  return afterQuietHours(verdict, settings, cameAt ?? now);
}

/** The verdict of now on what a page that was away is sent: what came in quiet hours is not announced after them. */
export const afterQuietHours = (
  verdict: Verdict,
  { quietHours }: Pick<AnnouncementSettings, 'quietHours'>,
  cameAt: number,
): Verdict => (verdict === 'yes' && isQuietAt(quietHours, cameAt) ? 'unwanted' : verdict);
