import { EntitySchema } from 'typeorm';
import type { Role } from '#backend/contract/session.ts';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/** A stored member. Never leaves the backend. */
export interface User {
  id: string;
  email: string;
  /** The e-mail in lower case: unique without regard to case. */
  emailKey: string;
  displayName: string;
  role: Role;
  isActive: boolean;
  /** bcrypt, with its cost and salt. */
  passwordHash: string;
  /** Null while the password is the one the account was created with. */
  passwordChangedAt: number | null;
  createdAt: number;
}

export const UserEntity = new EntitySchema<User>({
  name: 'User',
  tableName: 'users',
  columns: {
    id: primary(idColumn('id')),
    email: textColumn('email', 254),
    emailKey: textColumn('email_key', 254),
    displayName: textColumn('display_name', 100),
    role: textColumn('role', 16),
    isActive: { type: 'boolean', name: 'is_active' },
    passwordHash: textColumn('password_hash', 100),
    passwordChangedAt: nullable(timeColumn('password_changed_at')),
    createdAt: timeColumn('created_at'),
  },
});
