import { createHash } from 'node:crypto'
import type { ReplicaWatch } from '@baize/postgres'
import {
  BatchReader,
  openPool,
  type PointRead,
  type PoolOptions,
  type ReadPool,
  ReplicaPool,
  withClientTimeout,
} from '@baize/postgres'
import { Kysely, type Transaction as KyselyTransaction, PostgresDialect, type Selectable } from 'kysely'
import type pg from 'pg'
import { signingSecret } from './signing-secret.ts'
import type { Tables } from './tables.ts'

/** Names the schemas: customers' data, the demo world (contract section 6), and replays. */
export type WorldName = 'public' | 'demo' | `replay_${string}`

export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>

/** The columns of a table as the driver reads them. */
export type RowOf<
  Table extends keyof Tables,
  Column extends keyof Selectable<Tables[Table]> = keyof Selectable<Tables[Table]>,
> = Pick<Selectable<Tables[Table]>, Column>

export type OpenOptions = Pick<PoolOptions, 'connectionsMax' | 'connectWithinMs' | 'onError'> & {
  connection: pg.PoolConfig
  /** Answers reads that may lag a moment. Without a replica, the primary answers them. */
  replica?: { connection: pg.PoolConfig; watch: ReplicaWatch } | undefined
}

export type PreparedRead = {
  name: string
  text: string
  values: unknown[]
  /**
   * Uses one query plan for all values. Where the best plan depends on a value, this can be 250 times as
   * slow.
   */
  genericPlan?: boolean
}

/** Reads without effects. Each statement sees the data of its own moment. */
export type Reads = {
  /** Reads one row, batched with reads of other requests (batch-reader.ts). */
  readByKey<Row>(read: PointRead<Row>, key: string): Promise<Row | undefined>
  /** Reads a list of keys in a separate statement. */
  readByKeys<Row>(read: PointRead<Row>, keys: readonly string[]): Promise<Row[]>
  read<Row>(statement: PreparedRead): Promise<Row[]>
}

/** Gives features their only access to stored data. Its own reads go to the replica. */
export type World = Reads & {
  readonly name: WorldName
  readonly database: Database
  /** Answers single reads that may lag a moment; never of accounts, idempotency, exports, lists or people. */
  readonly replica: Database
  /** Plans each search for its values, with a shorter timeout that ends as `search_unavailable`. */
  readonly searches: Database
  /** Serves searches that one index answers. Each distinct text becomes a prepared statement, planned once. */
  search<Row>(text: string, values: readonly unknown[]): Promise<Row[]>
  /** Reads from the primary, whose statements never see older data than the ones before. */
  readonly primary: Reads
  cursorSecret(): Promise<Buffer>
  close(): Promise<void>
}

/** On two cores, 2, 3, 4 and 8 connections were equally fast. */
const genericPlansConnectionsMax = 4
const searchConnectionsMax = 4
const pointConnectionsMax = 4
/** Lists of 1,000 keys take some milliseconds, and would delay single reads in the same pool. */
const listConnectionsMax = 2

/**
 * PostgreSQL has planner settings and timeouts by session, and changing them costs a round trip. So each
 * kind of read has a pool, which opens connections on demand. Generic plans for points reduce a charge's
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
  const genericOptions = {
    ...options,
    connectionsMax: atMost(genericPlansConnectionsMax),
    genericPlans: true,
  }
  const pointOptions = { ...options, connectionsMax: atMost(pointConnectionsMax), isByKey: true }
  const listOptions = { ...pointOptions, connectionsMax: atMost(listConnectionsMax) }
  const primaryPools = {
    any: pool,
    generic: open(options.connection, genericOptions),
    points: open(options.connection, pointOptions),
    lists: open(options.connection, listOptions),
  }
  const primary = readsOf(primaryPools)
  const replicaPool = openReads(options, pool)
  const reads =
    options.replica === undefined
      ? primary
      : readsOf({
          any: replicaPool,
          generic: openReads(genericOptions, primaryPools.generic),
          points: openReads(pointOptions, primaryPools.points),
          lists: openReads(listOptions, primaryPools.lists),
        })
  const searchOptions = { ...options, connectionsMax: atMost(searchConnectionsMax), isSearch: true }
  const genericSearchPool = openReads({ ...searchOptions, genericPlans: true })
  const kyselyOf = (pool: ReadPool): Database =>
    new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const database = kyselyOf(pool)
  const replica = replicaPool === pool ? database : kyselyOf(replicaPool)
  const searches = kyselyOf(openReads(searchOptions))
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

  return { name, database, replica, searches, ...reads, primary, search, cursorSecret, close }
}

type ReadPools = Record<'any' | 'generic' | 'points' | 'lists', ReadPool>

function readsOf({ any, generic, points, lists }: ReadPools): Reads {
  const readers = new Map<PointRead<never>, BatchReader<unknown>>()
  return {
    readByKey<Row>(read: PointRead<Row>, key: string) {
      let reader = readers.get(read as PointRead<never>) as BatchReader<Row> | undefined
      if (reader === undefined) {
        reader = new BatchReader(read, read.variableCost === undefined ? points : generic)
        readers.set(read as PointRead<never>, reader as BatchReader<unknown>)
      }
      return reader.read(key)
    },

    async readByKeys<Row>({ name, text }: PointRead<Row>, keys: readonly string[]) {
      const { rows } = await lists.query(withClientTimeout({ name, text, values: [keys] }))
      return rows as Row[]
    },

    async read<Row>({ genericPlan = false, ...statement }: PreparedRead) {
      const { rows } = await (genericPlan ? generic : any).query(withClientTimeout(statement))
      return rows as Row[]
    },
  }
}

const statementNames = new Map<string, string>()

/** Hashes the text, because PostgreSQL truncates names at 63 bytes. */
function statementName(text: string): string {
  let name = statementNames.get(text)
  if (name === undefined) {
    name = `search_${createHash('sha1').update(text).digest('hex')}`
    statementNames.set(text, name)
  }
  return name
}

/** Returns the version of the dataset. Readiness reads it, because it fails without a database or our schema. */
export async function readDatasetVersion(database: Database): Promise<number> {
  const { version } = await database.selectFrom('dataset_version').select('version').executeTakeFirstOrThrow()
  return version
}
