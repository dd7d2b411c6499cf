import { EntitySchema } from 'typeorm';
import { idColumn, primary, textColumn } from '#backend/database/columns.ts';

/** What a bulk change mutes. */
export type MuteKind = 'customer' | 'alert_type';

/** The latest call of a member that mutes or enables everything of a kind: an earlier one that still runs gives way. */
export interface StoredBulkMute {
  userId: string;
  /** `turn` is the row that `holdNames` locks. */
  kind: MuteKind | 'turn';
  token: string;
}

export const BulkMuteEntity = new EntitySchema<StoredBulkMute>({
  name: 'BulkMute',
  tableName: 'bulk_mutes',
  columns: {
    userId: primary(idColumn('user_id')),
    kind: primary(textColumn('kind', 16)),
    token: idColumn('token'),
  },
});
