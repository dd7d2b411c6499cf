import { CreateCoreTables1763700000000 } from './migrations/1763700000000-create-core-tables.ts';

/** Every migration, oldest first. */
export const migrations = [CreateCoreTables1763700000000];
