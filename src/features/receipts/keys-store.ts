import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { PointRead } from '@baize/postgres'
import { sql } from 'kysely'
import { StaffError } from '../../core/staff-error.ts'
import type { Database, Transaction, World } from '../../database/open.ts'
import { canonicalJson } from './canonical-json.ts'

export type SigningKey = { kid: string; privateKey: KeyObject }

type CurrentKey = { place: string; kid: string; private_key: Buffer }

const place = 'current'
const currentKeys: PointRead<CurrentKey> = {
  name: 'receipt_key',
  text: `
    select '${place}' as place, kid, private_key
      from receipt_keys
     where retired_at is null and '${place}' = any ($1::text[])`,
  keyOf: row => row.place,
}

/** KeyObjects are cached, because creating one takes longer than signing. */
const keyObjects = new Map<string, KeyObject>()

/**
 * Returns the key that signs now. Each receipt reads its `kid` with its evidence, so that a revoked key signs
 * no more.
 */
export async function currentKey(world: World, kid: string | null): Promise<SigningKey> {
  const read = keyObjects.get(kid ?? '')
  if (kid !== null && read !== undefined) return { kid, privateKey: read }
  let row = await world.primary.readByKey(currentKeys, place)
  if (row === undefined) {
    await createFirstKey(world)
    row = await world.primary.readByKey(currentKeys, place)
  }
  if (row === undefined) throw new Error('no key signs receipts')
  let privateKey = keyObjects.get(row.kid)
  if (privateKey === undefined) {
    privateKey = createPrivateKey({ key: row.private_key, format: 'der', type: 'pkcs8' })
    keyObjects.set(row.kid, privateKey)
  }
  return { kid: row.kid, privateKey }
}

/** Creates the key of the installation. When processes start together, the first one's key is stored. */
export async function createFirstKey({ database }: World, now = new Date()): Promise<void> {
  const stored = await sql`select from receipt_keys where retired_at is null`.execute(database)
  if (stored.rows.length === 0) await insertKey(database, now)
}

/** Returns the kid; null if another key signs. */
export async function insertKey(database: Database | Transaction, now: Date): Promise<string | null> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x } = publicKey.export({ format: 'jwk' })
  const thumbprinted = canonicalJson({ kty: 'OKP', crv: 'Ed25519', x })
  const kid = createHash('sha256').update(thumbprinted).digest('base64url')
  const { rows } = await sql`
    insert into receipt_keys (kid, public_key, private_key, created_at)
    values (${kid}, ${Buffer.from(x as string, 'base64url')},
            ${privateKey.export({ format: 'der', type: 'pkcs8' })}, ${now})
    on conflict do nothing
    returning kid`.execute(database)
  return rows.length === 0 ? null : kid
}

/** Retires the key in use, and deletes its private half. Returns its kid; null if there is none. */
export async function retireKey(tx: Transaction, now: Date): Promise<string | null> {
  await sql`lock table receipt_keys in share row exclusive mode`.execute(tx)
  const { rows } = await sql<{ kid: string }>`
    update receipt_keys set retired_at = ${now}, private_key = null
     where retired_at is null
    returning kid`.execute(tx)
  return rows[0]?.kid ?? null
}

export async function revokeReceiptKey(
  tx: Transaction,
  { kid, why, now }: { kid: string; why: string; now: Date },
): Promise<void> {
  const { rows } = await sql<{ is_new: boolean }>`
    update receipt_keys key
       set revoked_at = coalesce(key.revoked_at, ${now}),
           revoked_because = coalesce(key.revoked_because, ${why})
      from receipt_keys former
     where key.kid = ${kid} and former.kid = key.kid
    returning former.revoked_at is null as is_new`.execute(tx)
  if (rows[0] === undefined) throw new StaffError(`Unknown key "${kid}". /.well-known/jwks.json lists all.`)
  if (!rows[0].is_new) throw new StaffError(`The key ${kid} is already revoked.`)
}

type PublicKeyRow = {
  kid: string
  public_key: Buffer
  created_at: Date
  revoked_at: Date | null
  revoked_because: string | null
}

const seconds = (moment: Date) => Math.floor(moment.getTime() / 1_000)

/** Returns all public keys, the newest first (RFC 7517). `revoked` is as in OpenID Federation. */
export async function publicKeys({ database }: World) {
  const { rows } = await sql<PublicKeyRow>`
    select kid, public_key, created_at, revoked_at, revoked_because
      from receipt_keys
     order by created_at desc, retired_at desc nulls first, kid`.execute(database)
  return {
    keys: rows.map(row => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: row.public_key.toString('base64url'),
      kid: row.kid,
      use: 'sig',
      alg: 'EdDSA',
      iat: seconds(row.created_at),
      ...(row.revoked_at === null
        ? {}
        : { revoked: { revoked_at: seconds(row.revoked_at), reason: row.revoked_because } }),
    })),
  }
}
