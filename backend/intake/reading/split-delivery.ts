import type { MappingError } from '#backend/contract/delivery.ts';
import type { Mapping } from '#backend/contract/mapping.ts';
import type { Delivery, Draft } from '#backend/intake/adapters/adapter.ts';
import { readAny } from '#backend/intake/adapters/generic.ts';
import { sharedMembers } from '#backend/intake/adapters/shared-members.ts';
import { planOf } from './mapping-plan.ts';

/** Most items of a list that become an alert each: each is read as any JSON. */
const MAX_SPLIT = 1_000;

/** Members beside the list that its alerts share. */
const MAX_SHARED = 20;

/** What splitting a delivery by a mapping makes of it. */
export interface Split {
  /** The alerts; undefined where the delivery is not split. */
  drafts?: Draft[];
  /** Why it is not split although it has a list. */
  error?: MappingError;
  /** The path leads to no list. */
  isMiss?: boolean;
}

/**
 * The items of the list that a mapping's split path leads to, each read as any JSON. A delivery that cannot be split is left
 * whole: nothing of it is lost.
 */
export function splitDelivery(mapping: Mapping, { body }: Delivery): Split | undefined {
  const { split } = planOf(mapping);
  if (split === undefined) return undefined;
  const list = body.at(split);
  if (!list?.isArray) return { isMiss: true };
  const items = list.items(MAX_SPLIT + 1);
  if (items.length > MAX_SPLIT) {
    return errorOf(`The list has more than ${MAX_SPLIT.toLocaleString('en')} items. The delivery is one alert.`);
  }
  const odd = items.findIndex(({ isObject }) => !isObject);
  if (odd !== -1) return errorOf(`Item ${odd + 1} of the list is no object. The delivery is one alert.`);
  const names = body.isObject ? body.names(MAX_SHARED + 1).filter((name) => name !== split[0]) : [];
  const shared = sharedMembers(body, [...new Set(names)].slice(0, MAX_SHARED), items.length);
  return { drafts: items.map((item): Draft => Object.assign(readAny(item), { shared })) };
}

const errorOf = (message: string): Split => ({ error: { field: 'split', message } });
