import type pg from 'pg'
import { errorCode, isConnectionLoss, isStatementTimeout } from './errors.ts'
import { openPool } from './pool.ts'

/** As long as PostgreSQL by itself lets a query of a replica hold up what is to be replayed. */
const replicaLagMsMax = 30_000
const lookEveryMs = 1_000
const lookTimeoutMs = 2_000
/** A lag of more than an hour is told as an hour. */
const positionsMax = 3_600

/** How far the primary had written its log, in bytes, and when it said so. */
export type Position = { atMs: number; wal: number }

/**
 * The positions that a replica has yet to reach, the oldest first. How old the first one ever is nobody knows: a replica may have
 * been behind long before it was looked at, and is so until it has reached that. So it is where the log begins anew.
 */
export function missingPositions(known: readonly Position[], told: Position, replayed: number): Position[] {
  const last = known.at(-1)
  const isFirst = last === undefined || told.wal < last.wal
  const positions = isFirst ? [{ ...told, atMs: Number.NEGATIVE_INFINITY }] : [...known, told]
  const missing = positions.filter(({ wal }) => wal > replayed)
  // The last one stays, so that the next is not taken for the first.
  return missing.length === 0 ? [told] : missing.slice(-positionsMax)
}

type Told = { identity: string; position: number | null }

/** A copy of the same files bears their number, and each of its databases has one of its own. */
const identity = `
       (select system_identifier::text from pg_control_system()) || '/' ||
       (select oid from pg_database where datname = current_database()) as identity`

const askPrimary = `
select ${identity},
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as position`

const askReplica = `
select ${identity},
       case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 end as position`

export type ReplicaOptions = {
  connection: pg.PoolConfig
  replica: pg.PoolConfig
  /** Told when reads leave the replica, and why; null: they go there again. */
  onChange: (unfitBecause: string | null) => void
  lagMsMax?: number
}

/**
 * Whether reads may go to the replica: looked at each second, for one that is away costs every read the time in which it does not
 * answer, and one that is far behind answers what has long been otherwise. Until it has been seen, it is not asked.
 */
export class ReplicaWatch {
  readonly #options: ReplicaOptions
  readonly #primary: pg.Pool
  readonly #replica: pg.Pool
  #unfitBecause: string | null = 'it was not looked at yet'
  #looks = 0
  #toldFit: boolean | null = null
  #isResting = false
  #missing: Position[] = []
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void>
  #isClosed = false
  /** Behind the primary, as last seen; null: it does not tell. */
  lagMs: number | null = null
  /** How many reads it was sent and failed with, and the primary then answered. */
  givenUp = 0

  constructor(options: ReplicaOptions) {
    this.#options = options
    // One that fails is told by its look.
    const single = { connectionsMax: 1, onError: () => {} }
    this.#primary = openPool(options.connection, 'public', single)
    this.#replica = openPool(options.replica, 'public', single)
    this.#looking = this.#look()
  }

  get isFit(): boolean {
    return this.#unfitBecause === null && !this.#isResting
  }

  /** A read failed there. One whose connection is lost is left alone until it was looked at again. */
  failed(error: unknown): void {
    this.givenUp += 1
    if (isConnectionLoss(error)) this.#isResting = true
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#looking
    await Promise.all([this.#primary.end(), this.#replica.end()])
  }

  async #look(): Promise<void> {
    const atMs = performance.now()
    const [primary] = await Promise.allSettled([ask(this.#primary, askPrimary)])
    const [replica] = await Promise.allSettled([ask(this.#replica, askReplica)])
    if (this.#isClosed) return
    const unfitBecause = this.#judge(atMs, primary, replica)
    this.#isResting = false
    this.#unfitBecause = unfitBecause
    this.#tell()
    this.#timer = setTimeout(() => {
      this.#looking = this.#look()
    }, lookEveryMs).unref()
  }

  /** That it is a moment behind at the first look is no news. */
  #tell(): void {
    this.#looks += 1
    const isFit = this.#unfitBecause === null
    if (isFit === this.#toldFit || (this.#looks === 1 && this.lagMs === Number.POSITIVE_INFINITY)) return
    this.#toldFit = isFit
    this.#options.onChange(this.#unfitBecause)
  }

  #judge(
    atMs: number,
    primary: PromiseSettledResult<Told>,
    replica: PromiseSettledResult<Told>,
  ): string | null {
    this.lagMs = null
    const replayed = replica.status === 'fulfilled' ? replica.value.position : null
    // Also while the replica is away: it is as far behind then as the primary has gone on.
    if (primary.status === 'fulfilled') {
      const told = { atMs, wal: primary.value.position ?? 0 }
      this.#missing = missingPositions(this.#missing, told, replayed ?? 0)
    }
    if (replica.status === 'rejected') return `it does not answer (${wordsOf(replica.reason)})`
    if (replayed === null) return 'it follows no primary'
    if (primary.status === 'rejected') {
      const { reason } = primary
      // Away or late, as it is told elsewhere; the replica is what it was.
      if (isConnectionLoss(reason) || isStatementTimeout(reason)) return this.#unfitBecause
      return `the primary does not say how far it is (${wordsOf(reason)})`
    }
    if (primary.value.identity !== replica.value.identity) return 'it is no replica of this database'
    const oldest = this.#missing.find(({ wal }) => wal > replayed)
    this.lagMs = oldest === undefined ? 0 : atMs - oldest.atMs
    const { lagMsMax = replicaLagMsMax } = this.#options
    if (this.lagMs <= lagMsMax) return null
    if (this.lagMs === Number.POSITIVE_INFINITY) return 'it has not caught up since this process began'
    return `it is more than ${lagMsMax / 1_000} seconds behind`
  }
}

/** A name with several addresses, none of which answers, fails with a code and no words. */
const wordsOf = (error: Error): string => error.message || (errorCode(error) ?? error.name)

async function ask(pool: pg.Pool, text: string): Promise<Told> {
  // The driver takes the time for a single statement, its types do not.
  const statement: pg.QueryConfig & { query_timeout: number } = { text, query_timeout: lookTimeoutMs }
  const { rows } = await pool.query<Told>(statement)
  return rows[0] as Told
}
