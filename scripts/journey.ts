// npm run journey [-- DIR]   the tour on real register files: sync them all, then resolve domains and see the charges.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createLogger } from '../src/config/logger.ts'
import { startEmbedded } from '../src/database/embedded/index.ts'
import { migrate } from '../src/database/migrate.ts'
import { createAccount, createKey } from '../src/features/account/index.ts'
import { openService } from '../src/http/open-service.ts'
import { buildServer } from '../src/http/server.ts'
import { preparePartitions } from '../src/metering/housekeeping.ts'
import { sourceFileFrom, syncRegister } from '../src/registers/index.ts'
import { findStream } from '../src/registers/streams/index.ts'
import { verifyAll } from '../src/verify/index.ts'
import { askedDomains, realSnapshots } from './journey-files.ts'

const directory = resolve(process.argv[2] ?? '../shared/data')
if (!existsSync(directory)) {
  console.log(`${directory} is not there: the journey needs real register files and is skipped.`)
  process.exit(0)
}

const dataDirectory = await mkdtemp(join(tmpdir(), 'baize-journey-'))
const database = await startEmbedded({ dataDirectory })
const { host, port, user, database: name } = database
const connection = { host, port, user, database: name }
await migrate(connection)
const service = openService({
  connection,
  settings: {
    baseUrl: 'http://127.0.0.1',
    logoUrl: 'http://127.0.0.1/logos',
    throttlePerMinute: 0,
    trustProxy: null,
  },
  log: createLogger('warn'),
})
await preparePartitions(service.live.database, service.now())
const server = await buildServer(service)
try {
  await syncAll()
  await resolveSome()
} finally {
  await server.close()
  await service.close()
  await database.stop()
  await rm(dataDirectory, { recursive: true, force: true })
}

async function syncAll(): Promise<void> {
  const started = performance.now()
  for (const { stream: key, files, takenAt } of realSnapshots(directory)) {
    const stream = findStream(key)
    if (stream === undefined) throw new Error(`no stream ${key}`)
    const report = await syncRegister(service.live, stream, await Promise.all(files.map(sourceFileFrom)), {
      takenAt: new Date(takenAt),
      now: new Date(),
    })
    const accepted = Object.entries(report.accepted).map(([what, count]) => `${what} ${count}`)
    const rejected = Object.entries(report.rejected_by_reason).map(([reason, count]) => `${reason} ${count}`)
    console.log(`${key} ${takenAt.slice(0, 10)}: ${report.status} ${report.reasons.join('; ')}`)
    console.log(
      `    ${report.rows} rows; accepted: ${accepted.join(', ') || 'none'}; rejected: ${rejected.join(', ') || 'none'}`,
    )
    console.log(
      `    ${report.added} added, ${report.removed} removed, ${report.changed} changed; ${report.seconds.toFixed(2)} s`,
    )
  }
  console.log(`\nAll snapshots in ${((performance.now() - started) / 1000).toFixed(1)} s.\n`)
}

async function resolveSome(): Promise<void> {
  const account = await createAccount(service.live, { name: 'journey', plan: 'growth', creditsGranted: 100 })
  const { api_key: key } = await createKey(service.live, account.account_ref)
  for (const domain of askedDomains) {
    const response = await server.inject({
      url: `/v1/domains/resolve?domain=${encodeURIComponent(domain)}`,
      headers: { 'x-api-key': key, 'idempotency-key': `journey-${askedDomains.indexOf(domain)}` },
    })
    const { data, errors } = response.json()
    const charged = `charged ${response.headers['x-credits-charged'] ?? 0}, ${response.headers['x-credits-remaining'] ?? '-'} left`
    if (data === undefined) console.log(`${domain}: ${response.statusCode} ${errors.code}`)
    else {
      const licensed = data.licensed_by.map((each: { geo: string; license_number: string | null }) =>
        `${each.geo} ${each.license_number ?? ''}`.trim(),
      )
      const blocked = data.blocked_by.map((each: { geo: string }) => each.geo)
      console.log(
        `${domain}: ${data.verdict}; licensed by [${licensed.join(', ')}]; blocked by [${blocked.join(', ')}]; ${charged}`,
      )
    }
  }
  const report = await verifyAll(service.live)
  console.log(
    `\nverify: ${report.checks.map(check => `${check.name}: ${check.differences.length === 0 ? 'ok' : 'DIFFERENCES'}`).join('\n        ')}`,
  )
  if (!report.ok) process.exitCode = 1
}
