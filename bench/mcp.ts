import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { InjectOptions } from 'fastify'
import { startOwnService } from '../scripts/own-service.ts'
import { median } from './scenarios.ts'

// npm run bench:mcp [-- --rounds R] [--calls N]: CPU time that a tool call adds to the operation it makes,
// in Node, with each protocol. A tool call sends an Idempotency-Key, whose answer is stored, so the operation
// has one, too. Rounds alternate, in one process. Exits 1 above the limit.
const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, calls: { type: 'string', default: '300' } },
})
const addedMsMax = 5
const rounds = Number(options.rounds)
const calls = Number(options.calls)
const listed = 1_000
const overloadedMax = 100
const overloadedMs = 200
const listsPerRound = Math.max(1, Math.round(calls / 10))

const domain = 'luckyotter.example'
const domains = Array.from({ length: listed }, (_, index) => `casino-${index}.example`)

const { server, apiKey, close } = await startOwnService('bench-mcp')
try {
  const headers = { authorization: `Bearer ${apiKey}` }
  const json = {
    ...headers,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }

  function toolCall(name: string, args: object, isModern: boolean): InjectOptions {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { name, arguments: args, ...(isModern ? { _meta: envelope } : {}) }
    const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const version = isModern
      ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
      : { 'mcp-protocol-version': '2025-11-25' }
    return { method: 'POST', url: '/mcp', headers: { ...json, ...version }, payload }
  }

  type Requests = { operation: InjectOptions; modern: InjectOptions; legacy: InjectOptions; perRound: number }
  const kinds = ['operation', 'keyed', 'modern', 'legacy'] as const
  type Kind = (typeof kinds)[number]
  const withFreshKey = (request: InjectOptions): InjectOptions => ({
    ...request,
    headers: { ...request.headers, 'idempotency-key': randomUUID() },
  })
  const measuredTools: Record<string, Requests> = {
    check_domain: {
      operation: { url: `/v1/domains/resolve?domain=${domain}`, headers },
      modern: toolCall('check_domain', { domain }, true),
      legacy: toolCall('check_domain', { domain }, false),
      perRound: calls,
    },
    [`check_domains of ${listed}`]: {
      operation: { method: 'POST', url: '/v1/domains/resolve', headers: json, payload: { domains } },
      modern: toolCall('check_domains', { domains, max_credits: listed }, true),
      legacy: toolCall('check_domains', { domains, max_credits: listed }, false),
      perRound: listsPerRound,
    },
  }

  /** The client only reads: a real one has its own process. */
  async function send(request: InjectOptions) {
    const response = await server.inject({ ...request, payloadAsStream: true })
    const chunks: Buffer[] = await response.stream().toArray()
    return {
      statusCode: response.statusCode,
      isAnswered: chunks.some(chunk => chunk.includes('no_record')),
      start: String(chunks[0]?.subarray(0, 300)),
    }
  }

  /** Milliseconds of this process's CPU time for a request. */
  async function cpuMs(kind: Kind, { perRound: times, ...requests }: Requests): Promise<number> {
    const before = process.cpuUsage()
    for (let sent = 0, overloaded = 0; sent < times; ) {
      const { statusCode, isAnswered, start } = await send(
        kind === 'keyed' ? withFreshKey(requests.operation) : requests[kind],
      )
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

  const rows = []
  for (const [tool, requests] of Object.entries(measuredTools)) {
    const measured: Record<Kind, number[]> = { operation: [], keyed: [], modern: [], legacy: [] }
    // The first round warms up.
    for (let round = 0; round <= rounds; round++)
      for (const kind of kinds) {
        const ms = await cpuMs(kind, requests)
        if (round > 0) measured[kind].push(ms)
      }
    const [operation, keyed, modern, legacy] = kinds.map(kind => median(measured[kind])) as [
      number,
      number,
      number,
      number,
    ]
    rows.push({
      tool,
      operationMs: operation.toFixed(2),
      withKeyMs: keyed.toFixed(2),
      addedMs: (modern - keyed).toFixed(2),
      addedByOlderProtocolMs: (legacy - keyed).toFixed(2),
    })
    if (Math.max(modern, legacy) - keyed > addedMsMax) {
      console.error(`${tool}: a call adds more than ${addedMsMax} ms.`)
      process.exitCode = 1
    }
  }
  console.table(rows)
} finally {
  await close()
}
