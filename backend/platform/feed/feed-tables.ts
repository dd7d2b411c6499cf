import { EntitySchema } from 'typeorm';
import { idColumn, longTextColumn, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';

/** One start of a server, which numbers the changes that it makes. */
export interface StoredChangeWriter {
  id: number;
  serverId: string;
  /** Its changes up to this number were deleted by their age. */
  prunedTo: number;
}

export const ChangeWriterEntity = new EntitySchema<StoredChangeWriter>({
  name: 'ChangeWriter',
  tableName: 'change_writers',
  columns: {
    id: { type: 'int', name: 'id', primary: true, generated: 'increment' },
    serverId: idColumn('server_id'),
    prunedTo: { type: 'int', name: 'pruned_to', default: 0 },
  },
});

/** What one transaction changed. */
export interface StoredChange {
  writer: number;
  /** Of its writer's, from 1. */
  number: number;
  /** When it was written, each transaction of its writer with this number or a smaller one had ended. */
  settled: number;
  /** By its server's clock. */
  at: number;
  /** A JSON array, see `feed-facts`. Empty where its number belongs to a transaction that was rolled back. */
  facts: string;
}

export const ChangeEntity = new EntitySchema<StoredChange>({
  name: 'Change',
  tableName: 'changes',
  columns: {
    writer: { type: 'int', name: 'writer', primary: true },
    number: { type: 'int', name: 'number', primary: true },
    settled: { type: 'int', name: 'settled' },
    at: timeColumn('at'),
    facts: longTextColumn('facts'),
  },
});

/** Up to where a consumer has dealt with the changes of a writer. */
export interface StoredChangePlace {
  consumer: string;
  writer: number;
  number: number;
}

export const ChangePlaceEntity = new EntitySchema<StoredChangePlace>({
  name: 'ChangePlace',
  tableName: 'change_places',
  columns: {
    consumer: primary(textColumn('consumer', 20)),
    writer: { type: 'int', name: 'writer', primary: true },
    number: { type: 'int', name: 'number' },
  },
});
