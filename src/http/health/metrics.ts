import type { ReplicaWatch } from '@baize/postgres'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { UnknownSettlements } from '../../metering/unknown-settlements.ts'

export type Metrics = {
  registry: Registry
  observe(operation: string, status: number, seconds: number): void
  charged(operation: string, credits: number): void
  /** Counts a request that a throttle refused. It does not count as a request of the operation. */
  throttled(operation: string): void
}

/** Labelled metrics of one operation, created at their first use. */
type OperationMetrics = {
  byStatus: Map<number, Counter.Internal>
  time: Histogram.Internal<'operation'> | null
  credits: Counter.Internal | null
}

const durationBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Creates metrics in a separate registry, so that tests can run several services in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'baize_requests_total',
    help: 'Requests answered, by operation and status; throttled requests are not included.',
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
    help: 'Requests that a throttle refused, by operation; none: no operation has the path.',
    labelNames: ['operation'],
    registers: [registry],
  })
  // Caches labelled children, because prom-client hashes the labels at each look-up.
  const byOperation = new Map<string, OperationMetrics>()
  function metricsOf(operation: string): OperationMetrics {
    let metrics = byOperation.get(operation)
    if (metrics === undefined) {
      metrics = { byStatus: new Map(), time: null, credits: null }
      byOperation.set(operation, metrics)
    }
    return metrics
  }
  return {
    registry,
    observe(operation, status, seconds) {
      const metrics = metricsOf(operation)
      let count = metrics.byStatus.get(status)
      if (count === undefined) {
        count = requests.labels({ operation, status })
        metrics.byStatus.set(status, count)
      }
      metrics.time ??= durations.labels({ operation })
      count.inc()
      metrics.time.observe(seconds)
    },
    charged(operation, amount) {
      if (amount <= 0) return
      const metrics = metricsOf(operation)
      metrics.credits ??= credits.labels({ operation })
      metrics.credits.inc(amount)
    },
    throttled: operation => refusals.inc({ operation }),
  }
}

export type Metering = {
  settler: { readonly unknown: Pick<UnknownSettlements, 'counts'> }
  usage: { readonly dropped: number }
}

export function createMeteringMetrics(registry: Registry, { settler, usage }: Metering): void {
  const { counts } = settler.unknown
  new Counter({
    name: 'baize_settlements_unknown_total',
    help: 'Settlements of this process whose outcome is unknown, because the database connection was lost.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(counts.unknown)
    },
  })
  new Counter({
    name: 'baize_settlements_unknown_resolved_total',
    help: 'Their outcome as found later: stands (charged), absent (not charged), forgotten (not checked).',
    labelNames: ['found'],
    registers: [registry],
    collect() {
      this.reset()
      for (const found of ['stands', 'absent', 'forgotten'] as const) this.inc({ found }, counts[found])
    },
  })
  new Counter({
    name: 'baize_usage_records_dropped_total',
    help: 'Usage records of uncharged requests that this process could not write or buffer.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(usage.dropped)
    },
  })
}

export function createStandbyMetrics(
  registry: Registry,
  standbys: { readonly warning: string | null },
): void {
  new Gauge({
    name: 'baize_failover_may_lose_charges',
    help: '1 while no standby is synchronous, so that a failover may lose answered charges; otherwise 0.',
    registers: [registry],
    collect() {
      this.set(standbys.warning === null ? 0 : 1)
    },
  })
}

export type Replica = Pick<ReplicaWatch, 'isFit' | 'lagMs' | 'repeatedReads'>

export function createReplicaMetrics(registry: Registry, replica: Replica): void {
  new Gauge({
    name: 'baize_replica_fit',
    help: '1 while this process reads from the replica, 0 while it reads from the primary.',
    registers: [registry],
    collect() {
      this.set(replica.isFit ? 1 : 0)
    },
  })
  new Gauge({
    name: 'baize_replica_lag_seconds',
    help: 'Lag of the replica at the last check; absent while it is unknown.',
    registers: [registry],
    collect() {
      if (replica.lagMs === null) this.remove()
      else this.set(replica.lagMs / 1_000)
    },
  })
  new Counter({
    name: 'baize_replica_reads_given_up_total',
    help: 'Reads that failed on the replica and were repeated on the primary.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(replica.repeatedReads)
    },
  })
}
