import { createHash } from 'node:crypto'
import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { BatchReader, type PointRead } from './batch-reader.ts'
import { withClientTimeout } from './client-timeout.ts'
import { openPool, type PoolOptions, type WorldName } from './pool.ts'
import { type ReadPool, ReplicaPool } from './replica-pool.ts'
import type { ReplicaWatch } from './replica-watch.ts'
import { signingSecret } from './signing-secret.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>

export type OpenOptions = Pick<PoolOptions, 'connectionsMax' | 'onError'> & {
  connection: pg.PoolConfig
  /** For reads that may lag a moment; absent: they use the primary. */
  replica?: { connection: pg.PoolConfig; watch: ReplicaWatch } | undefined
}

export type PreparedRead = {
  name: string
  text: string
  values: unknown[]
  /** One query plan for all values. Not where the best plan depends on a value: 250 times as slow. */
  genericPlan?: boolean
}

/** Features access stored data only through it. */
export type World = {
  readonly name: WorldName
  readonly database: Database
  /** For single reads that may lag a moment; never accounts, idempotency, exports, lists or people. */
  readonly replica: Database
  /** For searches: planned for their values, with a shorter timeout that ends as `search_unavailable`. */
  readonly searches: Database
  /** For searches that one index answers. Planned once; each distinct text becomes a prepared statement. */
  search<Row>(text: string, values: readonly unknown[]): Promise<Row[]>
  /** Batched with reads of other requests (batch-reader.ts). */
  readByKey<Row>(read: PointRead<Row>, key: string): Promise<Row | undefined>
  /** A statement of its own, for lists of keys. */
  readByKeys<Row>(read: PointRead<Row>, keys: readonly string[]): Promise<Row[]>
  /** On the replica. */
  read<Row>(statement: PreparedRead): Promise<Row[]>
  cursorSecret(): Promise<Buffer>
  close(): Promise<void>
}

/** 2, 3, 4 and 8 connections performed alike on two cores. */
const genericPlansConnectionsMax = 4
const searchConnectionsMax = 4
const pointConnectionsMax = 4
/** Lists of 1,000 keys take some milliseconds; in the pool of points, single reads would wait for them. */
const listConnectionsMax = 2

/**
 * PostgreSQL has planner settings and timeouts by session, and changing them costs a round trip. So each kind
 * of read has its own pool, which opens connections on demand. Generic plans for points reduce a charge's
 * statements from 1.05 to 0.80 ms (28 items, decision 0005).
 */
export function openWorld(name: WorldName, options: OpenOptions): World {
  const opened: pg.Pool[] = []
  function open(connection: pg.PoolConfig, poolOptions: PoolOptions): pg.Pool {
    const pool = openPool(connection, name, poolOptions)
    opened.push(pool)
    return pool
  }
  function openReads(poolOptions: PoolOptions, primary = open(options.connection, poolOptions)): ReadPool {
    if (options.replica === undefined) return primary
    return new ReplicaPool(open(options.replica.connection, poolOptions), primary, options.replica.watch)
  }
  const atMost = (connections: number) => Math.min(connections, options.connectionsMax ?? connections)
  const pool = open(options.connection, options)
  const replicaPool = openReads(options, pool)
  const genericPlansPool = openReads({
    ...options,
    connectionsMax: atMost(genericPlansConnectionsMax),
    genericPlans: true,
  })
  const pointOptions = { ...options, connectionsMax: atMost(pointConnectionsMax), isByKey: true }
  const pointPool = open(options.connection, pointOptions)
  const replicaPointPool = openReads(pointOptions, pointPool)
  const listPool = openReads({ ...pointOptions, connectionsMax: atMost(listConnectionsMax) })
  const searchOptions = { ...options, connectionsMax: atMost(searchConnectionsMax), isSearch: true }
  const genericSearchPool = openReads({ ...searchOptions, genericPlans: true })
  const kyselyOf = (pool: ReadPool): Database =>
    new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const database = kyselyOf(pool)
  const replica = replicaPool === pool ? database : kyselyOf(replicaPool)
  const searches = kyselyOf(openReads(searchOptions))
  const readers = new Map<PointRead<never>, BatchReader<unknown>>()

  function poolOf({ from, variableCost }: PointRead<never>): ReadPool {
    if (from === 'primary') return pointPool
    return variableCost === undefined ? replicaPointPool : genericPlansPool
  }

  function readByKey<Row>(read: PointRead<Row>, key: string): Promise<Row | undefined> {
    let reader = readers.get(read as PointRead<never>) as BatchReader<Row> | undefined
    if (reader === undefined) {
      reader = new BatchReader(read, poolOf(read))
      readers.set(read as PointRead<never>, reader as BatchReader<unknown>)
    }
    return reader.read(key)
  }

  async function readByKeys<Row>({ name, text }: PointRead<Row>, keys: readonly string[]): Promise<Row[]> {
    const { rows } = await listPool.query(withClientTimeout({ name, text, values: [keys] }))
    return rows as Row[]
  }

  async function read<Row>({ genericPlan = false, ...statement }: PreparedRead): Promise<Row[]> {
    const { rows } = await (genericPlan ? genericPlansPool : replicaPool).query(withClientTimeout(statement))
    return rows as Row[]
  }

  async function search<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await genericSearchPool.query({ name: statementName(text), text, values: [...values] })
    return rows as Row[]
  }

  let secret: Promise<Buffer> | null = null
  function cursorSecret(): Promise<Buffer> {
    secret ??= signingSecret(database, 'cursor').catch(error => {
      secret = null
      throw error
    })
    return secret
  }

  async function close(): Promise<void> {
    for (const each of opened) await each.end()
  }

  return { name, database, replica, searches, readByKey, readByKeys, read, search, cursorSecret, close }
}

const statementNames = new Map<string, string>()

/** PostgreSQL truncates names at 63 bytes. */
function statementName(text: string): string {
  let name = statementNames.get(text)
  if (name === undefined) {
    name = `search_${createHash('sha1').update(text).digest('hex')}`
    statementNames.set(text, name)
  }
  return name
}

/** Checks that the database answers and has our schema. */
export async function readDatasetVersion(database: Database): Promise<number> {
  const { version } = await database.selectFrom('dataset_version').select('version').executeTakeFirstOrThrow()
  return version
}
