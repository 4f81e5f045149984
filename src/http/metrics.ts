import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ReplicaWatch } from '../database/replica-watch.ts'
import type { UnknownSettlements } from '../metering/unknown-settlements.ts'

export type Metrics = {
  registry: Registry
  observe(operation: string, status: number, seconds: number): void
  charged(operation: string, credits: number): void
  /** Refused by a throttle, which stands before an operation: no request of it. */
  throttled(operation: string): void
}

/** What is counted of one operation; null: nothing yet. */
type Figures = {
  byStatus: Map<number, Counter.Internal>
  time: Histogram.Internal<'operation'> | null
  credits: Counter.Internal | null
}

const durationBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** The figures of /metrics; a registry of their own, so that two services of one process do not meet in it. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'baize_requests_total',
    help: 'Requests answered, by operation and status; what a throttle refused is counted by itself.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'baize_request_duration_seconds',
    help: 'Time from a request to its answer, by operation.',
    labelNames: ['operation'],
    buckets: durationBucketsSeconds,
    registers: [registry],
  })
  const credits = new Counter({
    name: 'baize_credits_charged_total',
    help: 'Credits charged, by operation.',
    labelNames: ['operation'],
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'baize_throttled_total',
    help: 'Requests that a throttle refused, by what was asked for; none: no operation.',
    labelNames: ['operation'],
    registers: [registry],
  })
  // A labelled child is looked up once: by labels it would be hashed anew for every request.
  const figures = new Map<string, Figures>()
  function figuresOf(operation: string): Figures {
    let held = figures.get(operation)
    if (held === undefined) {
      held = { byStatus: new Map(), time: null, credits: null }
      figures.set(operation, held)
    }
    return held
  }
  return {
    registry,
    observe(operation, status, seconds) {
      const held = figuresOf(operation)
      let count = held.byStatus.get(status)
      if (count === undefined) {
        count = requests.labels({ operation, status })
        held.byStatus.set(status, count)
      }
      held.time ??= durations.labels({ operation })
      count.inc()
      held.time.observe(seconds)
    },
    charged(operation, amount) {
      if (amount <= 0) return
      const held = figuresOf(operation)
      held.credits ??= credits.labels({ operation })
      held.credits.inc(amount)
    },
    throttled: operation => refusals.inc({ operation }),
  }
}

export type Metering = {
  settler: { readonly unknown: Pick<UnknownSettlements, 'counts'> }
  usage: { readonly dropped: number }
}

/** What metering counts itself is read with each look: settlements of unknown outcome, and usage records not written. */
export function createMeteringMetrics(registry: Registry, { settler, usage }: Metering): void {
  const { counts } = settler.unknown
  new Counter({
    name: 'baize_settlements_unknown_total',
    help: 'Settlements of this process whose outcome nobody was told, because the database was lost meanwhile.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(counts.unknown)
    },
  })
  new Counter({
    name: 'baize_settlements_unknown_resolved_total',
    help: 'What was found of those later: it stands, it is absent, or too many were kept and it was forgotten.',
    labelNames: ['found'],
    registers: [registry],
    collect() {
      this.reset()
      for (const found of ['stands', 'absent', 'forgotten'] as const) this.inc({ found }, counts[found])
    },
  })
  new Counter({
    name: 'baize_usage_records_dropped_total',
    help: 'Usage records of uncharged requests that this process could not write, or had no room to keep.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(usage.dropped)
    },
  })
}

export type Replica = Pick<ReplicaWatch, 'isFit' | 'lagMs' | 'givenUp'>

/** Whether the replica is asked, and how far behind it is. */
export function createReplicaMetrics(registry: Registry, replica: Replica): void {
  new Gauge({
    name: 'baize_replica_fit',
    help: 'Whether this process sends reads to the replica: 1, or 0 while the primary answers them all.',
    registers: [registry],
    collect() {
      this.set(replica.isFit ? 1 : 0)
    },
  })
  new Gauge({
    name: 'baize_replica_lag_seconds',
    help: 'How far the replica is behind, as last looked at; none while it does not tell.',
    registers: [registry],
    collect() {
      if (replica.lagMs === null) this.remove()
      else this.set(replica.lagMs / 1_000)
    },
  })
  new Counter({
    name: 'baize_replica_reads_given_up_total',
    help: 'Reads that the replica failed with, and that the primary was asked for instead.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(replica.givenUp)
    },
  })
}
