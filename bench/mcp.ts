import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { startOwnService } from '../scripts/own-service.ts'
import { atMost, judge as judgeFigure, median } from './harness/goals.ts'
import { readOptions } from './harness/options.ts'
import { runBenchmark } from './harness/run-benchmark.ts'

// Usage: npm run bench:mcp [-- --rounds R] [--calls N]. Measures the CPU time in Node that a tool call adds
// to its operation, with each protocol. A tool call sends an Idempotency-Key, whose answer is stored, so
// the compared request has one, too. Rounds alternate in one process.
const { rounds, calls, json } = readOptions({ rounds: 7, calls: 300, json: '' })
const addedMsMax = 5
const listed = 1_000
const overloadedMax = 100
const overloadedMs = 200
const listsPerRound = Math.max(1, Math.round(calls / 10))

const domain = 'luckyotter.example'
const domains = Array.from({ length: listed }, (_, index) => `casino-${index}.example`)

const kinds = ['operation', 'keyed', 'modern', 'legacy'] as const
type Kind = (typeof kinds)[number]
type Compared = { name: string; args: object; operation: InjectOptions; perRound: number }

const compared: Record<string, Compared> = {
  check_domain: {
    name: 'check_domain',
    args: { domain },
    operation: { url: `/v1/domains/resolve?domain=${domain}` },
    perRound: calls,
  },
  [`check_domains of ${listed}`]: {
    name: 'check_domains',
    args: { domains, max_credits: listed },
    operation: { method: 'POST', url: '/v1/domains/resolve', payload: { domains } },
    perRound: listsPerRound,
  },
}

await runBenchmark(json, async ({ undo, alsoVerify, print, judge }) => {
  const { service, server, apiKey, close } = await startOwnService('bench-mcp')
  undo.defer(close)
  alsoVerify(service.live)
  const rows = []
  for (const [tool, requests] of Object.entries(compared)) {
    const measured: Record<Kind, number[]> = { operation: [], keyed: [], modern: [], legacy: [] }
    // The first round warms up.
    for (let round = 0; round <= rounds; round++)
      for (const kind of kinds) {
        const ms = await cpuMs(server, requests.perRound, () => requestOf(kind, requests, apiKey))
        if (round > 0) measured[kind].push(ms)
      }
    const [operation, keyed, modern, legacy] = kinds.map(kind => median(measured[kind])) as [
      number,
      number,
      number,
      number,
    ]
    const added = { addedMs: modern - keyed, addedByOlderProtocolMs: legacy - keyed }
    rows.push({ tool, operationMs: operation, withKeyMs: keyed, ...added })
    for (const [figure, ms] of Object.entries(added))
      judge(judgeFigure(`${tool}, ${figure}`, atMost(addedMsMax), [ms]))
  }
  print(rows)
  return { rounds, calls, rows }
})

function requestOf(kind: Kind, { operation, name, args }: Compared, apiKey: string): InjectOptions {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(operation.payload === undefined ? {} : { 'content-type': 'application/json' }),
  }
  if (kind === 'operation') return { ...operation, headers }
  if (kind === 'keyed') return { ...operation, headers: { ...headers, 'idempotency-key': randomUUID() } }
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const isModern = kind === 'modern'
  const params = { name, arguments: args, ...(isModern ? { _meta: envelope } : {}) }
  const version = isModern
    ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
    : { 'mcp-protocol-version': '2025-11-25' }
  return {
    method: 'POST',
    url: '/mcp',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...version,
    },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  }
}

/** Returns the milliseconds of this process's CPU time for a request. */
async function cpuMs(server: FastifyInstance, times: number, request: () => InjectOptions): Promise<number> {
  const before = process.cpuUsage()
  for (let sent = 0, overloaded = 0; sent < times; ) {
    const { statusCode, isAnswered, start } = await send(server, request())
    // A busy machine can stall this process.
    if (statusCode === 503 && overloaded++ < overloadedMax) {
      await pause(overloadedMs)
      continue
    }
    if (statusCode !== 200 || !isAnswered) throw new Error(`unexpected answer ${statusCode}: ${start}`)
    sent++
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times / 1_000
}

/** Sends a request. The client does nothing but read, because a real one has its own process. */
async function send(server: FastifyInstance, request: InjectOptions) {
  const response = await server.inject({ ...request, payloadAsStream: true })
  const chunks: Buffer[] = await response.stream().toArray()
  return {
    statusCode: response.statusCode,
    isAnswered: chunks.some(chunk => chunk.includes('no_record')),
    start: String(chunks[0]?.subarray(0, 300)),
  }
}
