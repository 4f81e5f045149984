import { createHash } from 'node:crypto'
import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { BatchReader, type PointRead, withClientTimeout } from './batch-reader.ts'
import { openPool, type PoolOptions, type WorldName } from './pool.ts'
import { type ReadPool, ReplicaPool } from './replica-pool.ts'
import type { ReplicaWatch } from './replica-watch.ts'
import { signingSecret } from './signing-secret.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>

export type OpenOptions = Pick<PoolOptions, 'connectionsMax' | 'onError'> & {
  connection: pg.PoolConfig
  /** Where reads that may be a moment old go while it is fit for them; absent: to the same server. */
  replica?: { connection: pg.PoolConfig; watch: ReplicaWatch } | undefined
}

export type PreparedRead = {
  name: string
  text: string
  values: unknown[]
  /**
   * One plan does for all values. PostgreSQL left to itself compares estimates, and plans some statements anew at each
   * execution. Not for statements whose best plan depends on a value: a late `since` was measured 250 times as slow.
   */
  genericPlan?: boolean
}

/** One schema of the database, opened: the only thing that features get to reach stored data with. */
export type World = {
  readonly name: WorldName
  readonly database: Database
  /** Reads that may lag a moment, one statement each; never accounts, idempotency, exports, lists or people. */
  readonly replica: Database
  /**
   * The replica for searches: each is planned for the values that it asks for, and given up sooner than other reads, so
   * that one that is too hard ends as `search_unavailable` and holds nobody else up.
   */
  readonly searches: Database
  /**
   * A search whose plan is the same whatever it asks for, because one index answers it: planned once a connection, which takes
   * longer than running it. There are few such statements, told apart by their text.
   */
  search<Row>(text: string, values: readonly unknown[]): Promise<Row[]>
  /** A point read by key, gathered with those of other requests into one statement (see batch-reader.ts). */
  readByKey<Row>(read: PointRead<Row>, key: string): Promise<Row | undefined>
  /** A prepared read of the replica, for statements that are asked often enough to keep their plan. */
  read<Row>(statement: PreparedRead): Promise<Row[]>
  /** The secret that this installation signs its cursors with; made once, kept in the database. */
  cursorSecret(): Promise<Buffer>
  close(): Promise<void>
}

/** Statements of any value are short: 2, 3, 4 and 8 connections were measured alike on two cores. */
const keptPlansConnectionsMax = 4
const searchConnectionsMax = 4
/** One statement a read is in flight. */
const pointConnectionsMax = 4

export function openWorld(name: WorldName, options: OpenOptions): World {
  const opened: pg.Pool[] = []
  function open(connection: pg.PoolConfig, of: PoolOptions): pg.Pool {
    const pool = openPool(connection, name, of)
    opened.push(pool)
    return pool
  }
  /** Of the replica; without one of the primary, which takes its place as well. */
  function openReads(of: PoolOptions, primary = open(options.connection, of)): ReadPool {
    if (options.replica === undefined) return primary
    return new ReplicaPool(open(options.replica.connection, of), primary, options.replica.watch)
  }
  const atMost = (connections: number) => Math.min(connections, options.connectionsMax ?? connections)
  const pool = open(options.connection, options)
  const replicaPool = openReads(options, pool)
  const keptPlansPool = openReads({
    ...options,
    connectionsMax: atMost(keptPlansConnectionsMax),
    genericPlans: true,
  })
  const pointOptions = { ...options, connectionsMax: atMost(pointConnectionsMax), isByKey: true }
  const pointPool = open(options.connection, pointOptions)
  const replicaPointPool = openReads(pointOptions, pointPool)
  const searchOptions = { ...options, connectionsMax: atMost(searchConnectionsMax), isSearch: true }
  const keptSearchPool = openReads({ ...searchOptions, genericPlans: true })
  const over = (pool: ReadPool): Database => new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const database = over(pool)
  const replica = replicaPool === pool ? database : over(replicaPool)
  const searches = over(openReads(searchOptions))
  const readers = new Map<PointRead<never>, BatchReader<unknown>>()

  function poolOf({ from, uneven }: PointRead<never>): ReadPool {
    if (from === 'primary') return pointPool
    return uneven === undefined ? replicaPointPool : keptPlansPool
  }

  function readByKey<Row>(read: PointRead<Row>, key: string): Promise<Row | undefined> {
    let reader = readers.get(read as PointRead<never>) as BatchReader<Row> | undefined
    if (reader === undefined) {
      reader = new BatchReader(read, poolOf(read))
      readers.set(read as PointRead<never>, reader as BatchReader<unknown>)
    }
    return reader.read(key)
  }

  async function read<Row>({ genericPlan = false, ...statement }: PreparedRead): Promise<Row[]> {
    const { rows } = await (genericPlan ? keptPlansPool : replicaPool).query(withClientTimeout(statement))
    return rows as Row[]
  }

  async function search<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await keptSearchPool.query({ name: statementName(text), text, values: [...values] })
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

  return { name, database, replica, searches, readByKey, read, search, cursorSecret, close }
}

const statementNames = new Map<string, string>()

/** PostgreSQL tells names apart by 63 characters. */
function statementName(text: string): string {
  let name = statementNames.get(text)
  if (name === undefined) {
    name = `search_${createHash('sha1').update(text).digest('hex')}`
    statementNames.set(text, name)
  }
  return name
}

/** The smallest read of our own data: whether the database answers, and holds our schema. */
export async function readDatasetVersion(database: Database): Promise<number> {
  const { version } = await database.selectFrom('dataset_version').select('version').executeTakeFirstOrThrow()
  return version
}
