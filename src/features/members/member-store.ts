import { sql } from 'kysely'
import { newRef } from '../../core/ref.ts'
import type { Role } from '../../core/session-operation.ts'
import type { Database, Transaction } from '../../database/open.ts'

export type User = { id: number; user_ref: string; email: string; name: string | null; is_staff: boolean }

const userColumns = ['id', 'user_ref', 'email', 'name', 'is_staff'] as const

/** Finds the user with the address, or adds one. */
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

/** Adds the member, or changes the member's role. */
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

export async function setStaff(database: Database | Transaction, userId: number, isStaff: boolean) {
  await database.updateTable('users').set({ is_staff: isStaff }).where('id', '=', userId).execute()
}

export type Member = Pick<User, 'user_ref' | 'email' | 'name'> & {
  user_id: number
  role: Role
  created_at: Date
}

/** Returns the members of an account: owners first, then by address. */
export async function readMembers(database: Database | Transaction, accountId: number): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select person.id as user_id, person.user_ref, person.email, person.name, membership.role,
           membership.created_at
      from memberships membership
      join users person on person.id = membership.user_id
     where membership.account_id = ${accountId}
     order by membership.role <> 'owner', person.email collate "C"`.execute(database)
  return rows
}

/** Locks and returns the members of an account. Other changes of its members wait. */
export async function lockMembers(tx: Transaction, accountId: number): Promise<Member[]> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx)
  return readMembers(tx, accountId)
}

export async function deleteMembership(
  database: Database | Transaction,
  { userId, accountId }: { userId: number; accountId: number },
): Promise<void> {
  await database
    .deleteFrom('memberships')
    .where('user_id', '=', userId)
    .where('account_id', '=', accountId)
    .execute()
}

export async function readStaff(database: Database): Promise<User[]> {
  return database.selectFrom('users').select(userColumns).where('is_staff', '=', true).orderBy('id').execute()
}
