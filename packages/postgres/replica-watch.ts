import type pg from 'pg'
import { errorCode, isConnectionLoss, isStatementTimeout } from './errors.ts'
import { openPool } from './pool.ts'

/** PostgreSQL's default for how long a query on a replica may delay replay. */
const replicaLagMsMax = 30_000
const checkEveryMs = 1_000
const checkTimeoutMs = 2_000
/** One position is stored each second, so the reported lag is at most an hour. */
const positionsMax = 3_600

/** `wal` is a position in the WAL in bytes. */
export type ReplicaPosition = { atMs: number; wal: number }

/**
 * Returns the positions that the replica has yet to replay, oldest first. The lag before the first position
 * is unknown. It counts as infinite, even after the WAL restarted.
 */
export function missingPositions(
  known: readonly ReplicaPosition[],
  latest: ReplicaPosition,
  replayed: number,
): ReplicaPosition[] {
  const last = known.at(-1)
  const isFirst = last === undefined || latest.wal < last.wal
  const positions = isFirst ? [{ ...latest, atMs: Number.NEGATIVE_INFINITY }] : [...known, latest]
  const missing = positions.filter(({ wal }) => wal > replayed)
  // One position stays, so that the next one does not count as the first.
  return missing.length === 0 ? [latest] : missing.slice(-positionsMax)
}

type ServerStatus = { identity: string; position: number | null }

const identity = `
       (select system_identifier::text from pg_control_system()) || '/' ||
       (select oid from pg_database where datname = current_database()) as identity`

const primaryStatus = `
select ${identity},
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as position`

const replicaStatus = `
select ${identity},
       case when pg_is_in_recovery()
            then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 end as position`

export type ReplicaOptions = {
  connection: pg.PoolConfig
  replica: pg.PoolConfig
  /**
   * Is called with the reason when reads move to the primary, and with null when they are back on the
   * replica.
   */
  onChange: (unfitBecause: string | null) => void
  lagMsMax?: number
}

/**
 * Watches whether a replica is fit for reads, because an unreachable one would delay every read. Reads use
 * the primary until the first check.
 */
export class ReplicaWatch {
  readonly #options: ReplicaOptions
  readonly #primary: pg.Pool
  readonly #replica: pg.Pool
  #unfitBecause: string | null = 'it has not been checked yet'
  #checks = 0
  #reportedFit: boolean | null = null
  #isSuspended = false
  /** The server of the last check. Reads use no other one. */
  #checked: object | null | undefined = null
  #missing: ReplicaPosition[] = []
  #timer: NodeJS.Timeout | null = null
  #checking: Promise<void>
  #isClosed = false
  /** The lag in milliseconds at the last check; null when it is unknown. */
  lagMs: number | null = null
  /** The number of reads that failed on the replica and were repeated on the primary. */
  repeatedReads = 0

  constructor(options: ReplicaOptions) {
    this.#options = options
    const single = { connectionsMax: 1, onError: () => {} }
    this.#primary = openPool(options.connection, 'public', single)
    this.#replica = openPool(options.replica, 'public', single)
    this.#checking = this.#check()
  }

  get isFit(): boolean {
    return (
      this.#unfitBecause === null &&
      !this.#isSuspended &&
      this.#checked === this.#options.replica.servers?.current
    )
  }

  /** Moves reads to the primary after a connection loss, until the next check. */
  failed(error: unknown): void {
    this.repeatedReads += 1
    if (isConnectionLoss(error)) this.#isSuspended = true
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#checking
    await Promise.all([this.#primary.end(), this.#replica.end()])
  }

  async #check(): Promise<void> {
    const atMs = performance.now()
    const [primary] = await Promise.allSettled([readStatus(this.#primary, primaryStatus)])
    const [replica] = await Promise.allSettled([readStatus(this.#replica, replicaStatus)])
    if (this.#isClosed) return
    this.#checked = this.#options.replica.servers?.current
    const unfitBecause = this.#unfitReason(atMs, primary, replica)
    this.#isSuspended = false
    this.#unfitBecause = unfitBecause
    this.#report()
    this.#timer = setTimeout(() => {
      this.#checking = this.#check()
    }, checkEveryMs).unref()
  }

  /** Reports changes, but not a first check that only lacks the lag. */
  #report(): void {
    this.#checks += 1
    const isFit = this.#unfitBecause === null
    if (isFit === this.#reportedFit || (this.#checks === 1 && this.lagMs === Number.POSITIVE_INFINITY)) return
    this.#reportedFit = isFit
    this.#options.onChange(this.#unfitBecause)
  }

  #unfitReason(
    atMs: number,
    primary: PromiseSettledResult<ServerStatus>,
    replica: PromiseSettledResult<ServerStatus>,
  ): string | null {
    this.lagMs = null
    const replayed = replica.status === 'fulfilled' ? replica.value.position : null
    // The primary's position is read even when the replica is unreachable, so that its lag is known
    // afterwards.
    if (primary.status === 'fulfilled') {
      const latest = { atMs, wal: primary.value.position ?? 0 }
      this.#missing = missingPositions(this.#missing, latest, replayed ?? 0)
    }
    if (replica.status === 'rejected') return `it does not answer (${errorText(replica.reason)})`
    if (replayed === null) {
      this.#options.replica.servers?.leave()
      return 'it does not follow a primary'
    }
    if (primary.status === 'rejected') {
      const { reason } = primary
      // The primary is unreachable or slow, which is reported elsewhere. The replica's state is unchanged.
      if (isConnectionLoss(reason) || isStatementTimeout(reason)) return this.#unfitBecause
      return `the primary does not report its position (${errorText(reason)})`
    }
    if (primary.value.identity !== replica.value.identity) return 'it is not a replica of this database'
    const oldest = this.#missing.find(({ wal }) => wal > replayed)
    this.lagMs = oldest === undefined ? 0 : atMs - oldest.atMs
    const { lagMsMax = replicaLagMsMax } = this.#options
    if (this.lagMs <= lagMsMax) return null
    if (this.lagMs === Number.POSITIVE_INFINITY) return 'it has not caught up since this process began'
    return `it is more than ${lagMsMax / 1_000} seconds behind`
  }
}

/** Falls back to the code, because an error about several addresses has no message. */
const errorText = (error: Error): string => error.message || (errorCode(error) ?? error.name)

async function readStatus(pool: pg.Pool, text: string): Promise<ServerStatus> {
  const statement: pg.QueryConfig & { query_timeout: number } = { text, query_timeout: checkTimeoutMs }
  const { rows } = await pool.query<ServerStatus>(statement)
  return rows[0] as ServerStatus
}
