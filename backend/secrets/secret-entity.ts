import { EntitySchema } from 'typeorm';
import { primary, textColumn } from '#backend/database/columns.ts';

/** A generated secret that several servers on one database share. */
export interface StoredSecret {
  name: string;
  value: string;
}

export const SecretEntity = new EntitySchema<StoredSecret>({
  name: 'Secret',
  tableName: 'secrets',
  columns: {
    name: primary(textColumn('name', 64)),
    value: textColumn('value', 500),
  },
});
