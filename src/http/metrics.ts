import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type Metrics = {
  registry: Registry
  observe(operation: string, status: number, seconds: number): void
  charged(operation: string, credits: number): void
}

const durationBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** The figures of /metrics; a registry of their own, so that two services of one process do not meet in it. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'baize_requests_total',
    help: 'Requests answered, by operation and status.',
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
  // A labelled child is looked up once: by labels it would be hashed anew for every request.
  const counted = new Map<string, Counter.Internal>()
  const timed = new Map<string, Histogram.Internal<'operation'>>()
  return {
    registry,
    observe(operation, status, seconds) {
      const key = `${operation} ${status}`
      let count = counted.get(key)
      if (count === undefined) {
        count = requests.labels({ operation, status })
        counted.set(key, count)
      }
      let time = timed.get(operation)
      if (time === undefined) {
        time = durations.labels({ operation })
        timed.set(operation, time)
      }
      count.inc()
      time.observe(seconds)
    },
    charged(operation, amount) {
      if (amount > 0) credits.inc({ operation }, amount)
    },
  }
}
