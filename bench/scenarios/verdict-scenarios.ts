import type { Sizes } from '../data/sizes.ts'
import { batchPath, batchSize, pastPaths, verdictBatches, verdictPaths } from './paths.ts'
import { type Scenario, scenario } from './scenarios.ts'
import type { Servers } from './start-servers.ts'

/** Batches use fewer connections than the 64 of single verdicts, because more would only wait. */
const batchConnections = 8
/** The day that is asked about; the rows of most entries begin before it. */
const asOf = '2024-06-01'

/** Returns scenarios in an order that measures compared ones in the same minute. */
export function verdictScenarios(sizes: Sizes, servers: Servers, keys: string[]): Scenario[] {
  const { api, second, limit, handwritten, transaction, twin } = servers
  const paths = verdictPaths(sizes)
  const knownAt = new Date().toISOString()
  const oneKey = keys.slice(0, 1)
  const one = { paths, keys: oneKey }
  const batch = { url: api.url, paths: [batchPath], bodies: verdictBatches(sizes), keys: oneKey }
  return [
    scenario('limit', 'static answer of the same bytes (the limit)', { url: limit.url, ...one }),
    scenario('handwritten', 'hand-written read, unmetered', { url: handwritten.url, ...one }),
    scenario('twin', 'the twin: a paid verdict in one file', { url: twin.url, ...one }),
    scenario('verdict', 'paid verdict, one account', { url: api.url, ...one }),
    scenario('verdict_receipt', 'the same with a signed receipt', {
      url: api.url,
      ...one,
      paths: paths.map(path => `${path}&receipt=true`),
    }),
    scenario('verdict_then', 'paid verdict of another day', {
      url: api.url,
      ...one,
      paths: paths.map(path => `${path}&as_of=${asOf}&known_at=${knownAt}`),
    }),
    ...(sizes.closedRows > 0
      ? [scenario('verdict_past', 'the same, random days', { url: api.url, ...one, paths: pastPaths(sizes) })]
      : []),
    scenario('batch', `batches of ${batchSize} verdicts, ${batchConnections} connections`, {
      ...batch,
      connections: batchConnections,
    }),
    scenario('batch_alone', `batches of ${batchSize} verdicts, one after the other`, {
      ...batch,
      connections: 1,
    }),
    scenario('two_processes', 'paid verdict, one account, two API processes', {
      url: api.url,
      secondUrl: second.url,
      ...one,
    }),
    scenario('verdict_100_accounts', 'paid verdict, 100 accounts', { url: api.url, paths, keys }),
    scenario('verdict_fresh_keys', 'paid verdict, fresh Idempotency-Key each', {
      url: api.url,
      paths,
      keys,
      freshKeys: true,
    }),
    scenario('transaction', 'hand-written, a charging transaction each, one account', {
      url: transaction.url,
      ...one,
    }),
    scenario('transaction_100_accounts', 'hand-written, a charging transaction each, 100 accounts', {
      url: transaction.url,
      paths,
      keys,
    }),
  ]
}
