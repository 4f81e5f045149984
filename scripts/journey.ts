// npm run journey [-- DIR]   syncs real register files (older, newer, broken, the same again), reads the
// feeds to their end, resolves domains, checks a site, and verifies everything.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  approveSnapshot,
  findKnownStream,
  findStream,
  type SourceFile,
  type SyncReport,
  sourceFileFrom,
  syncRegister,
} from '../src/registers/index.ts'
import { fileOfBytes } from '../src/registers/source/file-of-bytes.ts'
import { verifyAll } from '../src/verify/index.ts'
import { checkLicensedSite } from './journey-check.ts'
import { askedDomains, type RealSnapshot, realSnapshots } from './journey-files.ts'
import { findEverybody } from './journey-findable.ts'
import { startOwnService } from './own-service.ts'

const directory = resolve(process.argv[2] ?? '../shared/data')
if (!existsSync(directory)) {
  console.log(`${directory} is missing: the journey needs real register files and is skipped.`)
  process.exit(0)
}

const own = await startOwnService('journey')
const { service, server, connection, apiKey, close } = own
const snapshots = realSnapshots(directory)
const [baselines, newer] = [snapshots.filter(isFirst), snapshots.filter(snapshot => !isFirst(snapshot))]
try {
  await phase('The oldest file of each stream: baselines without Signals', () => syncEach(baselines))
  await phase('The newer files, in order: changes become Signals', () => syncEach(newer))
  await phase('Broken downloads: each is rejected or quarantined, and changes nothing', () => syncBroken())
  await phase('The newest files again: nothing changed', () => syncEach(snapshots.filter(isLast), 'again'))
  await phase('Both register feeds of every market, to the end', () => pollFeeds())
  await phase('Some domains', () => resolveSome())
  await phase('Every name, legal entity and registered domain is found by the search', async () => {
    const { missed } = await findEverybody(server, service.live.database, apiKey)
    if (missed > 0) process.exitCode = 1
  })
  await phase('A site check, with its evidence', () => checkSite())
  await phase('Verify', () => verify())
} finally {
  await close()
}

async function phase(title: string, work: () => Promise<void>): Promise<void> {
  console.log(`\n## ${title}\n`)
  const started = performance.now()
  await work()
  console.log(`(${((performance.now() - started) / 1000).toFixed(1)} s)`)
}

function isFirst({ stream, takenAt }: RealSnapshot): boolean {
  return !snapshots.some(other => other.stream === stream && other.takenAt < takenAt)
}

function isLast({ stream, takenAt }: RealSnapshot): boolean {
  return !snapshots.some(other => other.stream === stream && other.takenAt > takenAt)
}

async function syncEach(chosen: readonly RealSnapshot[], again?: 'again'): Promise<void> {
  for (const { stream, files, takenAt } of chosen) {
    const time = again === undefined ? new Date(takenAt) : new Date(Date.parse(takenAt) + 86_400_000)
    const report = await syncFiles(stream, await Promise.all(files.map(sourceFileFrom)), time)
    // Approved: these files are years apart.
    if (report.status === 'held') {
      const approved = await approveSnapshot(service.live, {
        snapshotRef: report.snapshot_ref as string,
        reason: 'the two files of this tour are far apart',
        findStream: findKnownStream,
        now: new Date(),
      })
      printReport('    approved', approved)
    }
  }
}

async function syncBroken(): Promise<void> {
  const outcomes: Record<string, number> = {}
  for (const { stream, files, takenAt } of snapshots.filter(isLast)) {
    const time = new Date(Date.parse(takenAt) + 3_600_000)
    const whole = await Promise.all(files.map(sourceFileFrom))
    const [first, ...rest] = await Promise.all(files.map(file => readFile(file)))
    if (first === undefined) continue
    const half = fileOfBytes('half', first.subarray(0, Math.floor(first.length / 2)))
    const { status } = await syncFiles(stream, [half, ...whole.slice(1)], time)
    outcomes[`half a file: ${status}`] = (outcomes[`half a file: ${status}`] ?? 0) + 1
    const empty = await syncFiles(
      stream,
      [fileOfBytes('empty', ''), ...rest.map(() => fileOfBytes('empty', ''))],
      time,
    )
    outcomes[`an empty file: ${empty.status}`] = (outcomes[`an empty file: ${empty.status}`] ?? 0) + 1
  }
  console.log(outcomes)
}

async function syncFiles(key: string, files: SourceFile[], takenAt: Date): Promise<SyncReport> {
  const stream = findStream(key)
  if (stream === undefined) throw new Error(`no stream ${key}`)
  const report = await syncRegister(service.live, stream, files, { takenAt, now: new Date() })
  printReport(`${key} ${takenAt.toISOString().slice(0, 10)}`, report)
  return report
}

function printReport(what: string, report: SyncReport): void {
  const accepted = Object.entries(report.accepted).map(([kind, count]) => `${kind} ${count}`)
  const rejected = Object.entries(report.rejected_by_reason).map(([reason, count]) => `${reason} ${count}`)
  const { status, reasons, rows, added, removed, changed, signals, seconds } = report
  console.log(`${what}: ${status}${reasons.map(reason => `\n    ! ${reason}`).join('')}`)
  if (status === 'refused' || status === 'unchanged') return
  console.log(
    `    ${rows} rows; accepted: ${accepted.join(', ') || 'none'}; ` +
      `rejected: ${rejected.join(', ') || 'none'}`,
  )
  console.log(
    `    ${added} added, ${removed} removed, ${changed} changed; ${signals} signals; ${seconds.toFixed(2)} s`,
  )
}

async function pollFeeds(): Promise<void> {
  const feeds = [
    ['register-changes', 'jurisdiction='],
    ['market-entries', 'role=operator&market='],
  ] as const
  const polled = new Set(snapshots.map(({ stream }) => findStream(stream)?.market as string))
  for (const [feed, filter] of feeds) {
    for (const market of [...polled].sort()) {
      const refs = new Set<string>()
      let [after, pages, delivered, total, charged] = ['', 0, 0, 0, 0]
      let newest = ''
      for (;;) {
        const cursor = after === '' ? '' : `&after=${after}`
        const url = `/v1/signals/${feed}?${filter}${market}&page_size=20${cursor}`
        const response = await server.inject({ url, headers: { 'x-api-key': apiKey } })
        const { data } = response.json()
        for (const signal of data.signals) {
          refs.add(signal.signal_ref)
          newest = signal.headline
        }
        pages += 1
        delivered += data.signals.length
        charged += Number(response.headers['x-credits-charged'])
        total = data.total
        if (data.signals.length === 0) break
        after = encodeURIComponent(data.next_cursor)
      }
      if (delivered !== total || refs.size !== total) process.exitCode = 1
      if (total > 0)
        console.log(
          `${feed} ${market}: ${delivered} of ${total} in ${pages} pages, ${charged} credits; ` +
            `the last: ${newest}`,
        )
    }
  }
}

async function resolveSome(): Promise<void> {
  for (const domain of askedDomains) {
    const response = await server.inject({
      url: `/v1/domains/resolve?domain=${encodeURIComponent(domain)}`,
      headers: { 'x-api-key': apiKey, 'idempotency-key': `journey-${askedDomains.indexOf(domain)}` },
    })
    const { data, errors } = response.json()
    const { 'x-credits-charged': credits = 0, 'x-credits-remaining': remaining = '-' } = response.headers
    const charged = `charged ${credits}, ${remaining} left`
    if (data === undefined) console.log(`${domain}: ${response.statusCode} ${errors.code}`)
    else {
      const licensed = data.licensed_by.map((each: { geo: string; license_number: string | null }) =>
        `${each.geo} ${each.license_number ?? ''}`.trim(),
      )
      const blocked = data.blocked_by.map((each: { geo: string }) => each.geo)
      console.log(
        `${domain}: ${data.verdict}; licensed by [${licensed.join(', ')}]; ` +
          `blocked by [${blocked.join(', ')}]; ${charged}`,
      )
    }
  }
}

async function checkSite(): Promise<void> {
  const profile = await checkLicensedSite(own)
  if (profile === null) return console.log('no domain has exactly one licensed operator')
  const { availability, regulatory_context: context, registration, web_presence: web, launch } = profile
  console.log(`launch profile: ${availability}, web presence ${web.status}, launch ${launch.status}`)
  console.log(`    ${context.market} ${context.license_number}, ${context.licensee.legal_name}`)
  console.log(`    registered at ${registration.registered_at} by ${registration.registrar}`)
  for (const { claim_type, claimed_name, match } of profile.legal_claims)
    console.log(`    claims ${claim_type} ${claimed_name}: ${match.status}`)
  if (availability !== 'available' || launch.status !== 'live') process.exitCode = 1
}

async function verify(): Promise<void> {
  const report = await verifyAll(service.live, connection)
  for (const { name, note, differences } of report.checks)
    console.log(
      `${differences.length === 0 ? 'ok  ' : 'DIFF'} ${name}${note ? ` (${note})` : ''}`,
      ...differences,
    )
  if (!report.ok) process.exitCode = 1
}
