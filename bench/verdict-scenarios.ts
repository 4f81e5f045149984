import { batchPath, batchSize, verdictBatches, verdictPaths } from './paths.ts'
import type { Scenario } from './scenarios.ts'
import type { Sizes } from './sizes.ts'
import type { Servers } from './start-servers.ts'

/** Single verdicts use 64 connections; so many batches would only wait for each other. */
const batchConnections = 8

/** Those that are compared stand side by side, so that they are measured in the same minute. */
export function verdictScenarios(sizes: Sizes, servers: Servers, keys: string[]): Scenario[] {
  const { api, second, limit, handwritten, transaction, twin } = servers
  const paths = verdictPaths(sizes)
  const oneKey = keys.slice(0, 1)
  const one = { paths, keys: oneKey }
  const batch = { url: api.url, paths: [batchPath], bodies: verdictBatches(sizes), keys: oneKey }
  return [
    {
      name: 'limit',
      title: 'static answer of the same bytes (the limit)',
      target: { url: limit.url, ...one },
    },
    { name: 'handwritten', title: 'hand-written read, unmetered', target: { url: handwritten.url, ...one } },
    { name: 'twin', title: 'the twin: a paid verdict in one file', target: { url: twin.url, ...one } },
    { name: 'verdict', title: 'paid verdict, one account', target: { url: api.url, ...one } },
    {
      name: 'batch',
      title: `batches of ${batchSize} verdicts, ${batchConnections} connections`,
      target: { ...batch, connections: batchConnections },
    },
    {
      name: 'batch_alone',
      title: `batches of ${batchSize} verdicts, one after the other`,
      target: { ...batch, connections: 1 },
    },
    {
      name: 'two_processes',
      title: 'paid verdict, one account, two API processes',
      target: { url: api.url, secondUrl: second.url, ...one },
    },
    {
      name: 'verdict_100_accounts',
      title: 'paid verdict, 100 accounts',
      target: { url: api.url, paths, keys },
    },
    {
      name: 'verdict_fresh_keys',
      title: 'paid verdict, fresh Idempotency-Key each',
      target: { url: api.url, paths, keys, freshKeys: true },
    },
    {
      name: 'transaction',
      title: 'hand-written, a charging transaction each, one account',
      target: { url: transaction.url, ...one },
    },
    {
      name: 'transaction_100_accounts',
      title: 'hand-written, a charging transaction each, 100 accounts',
      target: { url: transaction.url, paths, keys },
    },
  ]
}
