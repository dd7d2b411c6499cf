import { SENDERS } from '#backend/contract/sender-marks.ts';
import { type Sender, senderSchema } from '#backend/contract/sender.ts';
import type { SetUp } from './set-up-texts.ts';
import { APP_SET_UPS } from './set-ups-apps.ts';
import { BUILD_SET_UPS } from './set-ups-builds.ts';
import { CLOUD_SET_UPS } from './set-ups-clouds.ts';
import { MAIL_SET_UPS } from './set-ups-mail.ts';
import { MONITORING_SET_UPS } from './set-ups-monitoring.ts';

/** The set-up of each sender. */
export const SET_UPS: Record<Sender, SetUp> = {
  ...MONITORING_SET_UPS,
  ...BUILD_SET_UPS,
  ...CLOUD_SET_UPS,
  ...APP_SET_UPS,
  ...MAIL_SET_UPS,
};

/** The set-up of a source whose sender may not be known yet. */
export const setUpOf = (sender: Sender | null): SetUp => SET_UPS[sender ?? 'generic'];

/** The senders that a new source can be made for: any JSON first, the others by name. Retired products are left out. */
export const OFFERED_SENDERS: readonly Sender[] = senderSchema.options
  .filter((sender) => sender !== 'grafana-legacy')
  .toSorted((a, b) =>
    a === 'generic' ? -1 : b === 'generic' ? 1 : SENDERS[a].name.localeCompare(SENDERS[b].name, 'en'),
  );

/** The senders whose name, or another name that they are known by, contains `text`. */
export function findSenders(text: string): readonly Sender[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return OFFERED_SENDERS;
  return OFFERED_SENDERS.filter((sender) => {
    const { name, alsoKnownAs = [] } = SENDERS[sender];
    return [name, ...alsoKnownAs].some((known) => known.toLowerCase().includes(wanted));
  });
}
