import { newRef } from '../../core/ref.ts'
import type { Role } from '../../core/session-operation.ts'
import type { Database, Transaction } from '../../database/open.ts'

export type User = { id: number; user_ref: string; email: string; name: string | null; is_staff: boolean }

const userColumns = ['id', 'user_ref', 'email', 'name', 'is_staff'] as const

/** Adds the user, or finds the one with the address. */
export async function ensureUser(
  database: Database | Transaction,
  { email, now }: { email: string; now: Date },
): Promise<User> {
  await database
    .insertInto('users')
    .values({ user_ref: newRef('usr'), email: email.toLowerCase(), created_at: now })
    .onConflict(conflict => conflict.column('email').doNothing())
    .execute()
  const user = await findUser(database, email)
  if (user === null) throw new Error(`the user ${email} was removed in this moment`)
  return user
}

export async function findUser(database: Database | Transaction, email: string): Promise<User | null> {
  const user = await database
    .selectFrom('users')
    .select(userColumns)
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  return user ?? null
}

/** Adds the member, or changes the role. */
export async function setMembership(
  database: Database | Transaction,
  { userId, accountId, role, now }: { userId: number; accountId: number; role: Role; now: Date },
): Promise<void> {
  await database
    .insertInto('memberships')
    .values({ user_id: userId, account_id: accountId, role, created_at: now })
    .onConflict(conflict => conflict.columns(['user_id', 'account_id']).doUpdateSet({ role }))
    .execute()
}

export async function setStaff(
  database: Database | Transaction,
  userId: number,
  isStaff: boolean,
): Promise<void> {
  await database.updateTable('users').set({ is_staff: isStaff }).where('id', '=', userId).execute()
}
