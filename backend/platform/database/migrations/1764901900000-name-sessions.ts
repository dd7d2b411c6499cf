import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** New columns by table, with their lengths in characters. */
const COLUMNS = {
  sessions: { ip: 64, user_agent: 200 },
  users: { time_format: 8, time_zone: 64 },
} as const;

/** From where a session was begun, and how its member reads times. Each step may be repeated. */
export class ExpandBySessionDetails1764901900000 implements MigrationInterface {
  readonly name = 'ExpandBySessionDetails1764901900000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(COLUMNS)) {
      for (const [column, length] of Object.entries(columns)) {
        if (await runner.hasColumn(table, column)) continue;
        const text = dialectOf(runner).text(length);
        const encoding = text.charset ? ` CHARACTER SET ${text.charset} COLLATE ${text.collation}` : '';
        await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${text.type}(${length})${encoding} NULL`);
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(COLUMNS)) {
      for (const column of Object.keys(columns)) {
        if (await runner.hasColumn(table, column)) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
      }
    }
  }
}
