// Syncs real register files (older, newer, broken, the same again), reads the feeds to their end, resolves
// domains, checks a site, and verifies everything: `npm run journey [-- DIR]`.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileOfBytes } from '@baize/tables'
import { dayMs } from '../src/core/time.ts'
import {
  approveSnapshot,
  findKnownStream,
  findStream,
  type SourceFile,
  type SyncReport,
  sourceFileFrom,
  syncRegister,
} from '../src/registers/index.ts'
import { verifyAll } from '../src/verify/index.ts'
import { checkLicensedSite } from './journey-check.ts'
import { askedDomains, isFailedDownload, type RealSnapshot, realSnapshots } from './journey-files.ts'
import { findEverybody } from './journey-findable.ts'
import { startOwnService } from './own-service.ts'
import { requireThat } from './require-that.ts'

const directory = resolve(process.argv[2] ?? '../shared/data')
if (!existsSync(directory)) {
  console.log(`${directory} is missing: the journey needs real register files and is skipped.`)
  process.exit(process.argv[2] === undefined ? 0 : 1)
}

const own = await startOwnService('journey')
const { service, server, connection, apiKey, close } = own
const snapshots = realSnapshots(directory)
const [baselines, newer] = [snapshots.filter(isFirst), snapshots.filter(snapshot => !isFirst(snapshot))]
/** The number of Signals that the syncs reported. */
let signalsMade = 0
try {
  await phase('The oldest file of each stream: baselines without Signals', () =>
    syncEach(baselines, (report, what) => {
      requireThat(report.status === 'applied', `${what} is applied as a baseline`)
      requireThat(report.signals === 0, `${what}, a baseline, makes no Signals`)
    }),
  )
  await phase('The newer files, in order: changes become Signals', () =>
    syncEach(newer, (report, what, snapshot) => {
      const wanted = isFailedDownload(snapshot) ? 'refused' : 'applied'
      requireThat(report.status === wanted, `${what} is ${wanted}`)
    }),
  )
  await phase('Broken downloads: each is rejected or quarantined, and changes nothing', () => syncBroken())
  await phase('The newest files again: nothing changed', () =>
    syncEach(snapshots.filter(isLast).map(aDayLater), ({ status }, what) =>
      requireThat(status === 'unchanged', `${what}, read before, is unchanged`),
    ),
  )
  await phase('Both register feeds of every market, to the end', () => pollFeeds())
  await phase('Some domains', () => resolveSome())
  await phase('Every name, legal entity and registered domain is found by the search', async () => {
    const { asked, missed } = await findEverybody(server, service.live.database, apiKey)
    requireThat(asked > 0 && missed === 0, 'each of the stored names is found')
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

function aDayLater(snapshot: RealSnapshot): RealSnapshot {
  return { ...snapshot, takenAt: new Date(Date.parse(snapshot.takenAt) + dayMs).toISOString() }
}

type Judge = (report: SyncReport, what: string, snapshot: RealSnapshot) => void

async function syncEach(chosen: readonly RealSnapshot[], judge: Judge): Promise<void> {
  requireThat(chosen.length > 0, 'there are files for this part')
  for (const snapshot of chosen) {
    const { stream, files, takenAt } = snapshot
    let report = await syncFiles(stream, await Promise.all(files.map(sourceFileFrom)), new Date(takenAt))
    // Quarantined snapshots are approved, because these files are years apart.
    if (report.status === 'held') {
      report = await approveSnapshot(service.live, {
        snapshotRef: report.snapshot_ref as string,
        reason: 'the two files of this tour are far apart',
        findStream: findKnownStream,
        now: new Date(),
      })
      printReport('    approved', report)
    }
    signalsMade += report.signals
    judge(report, `${stream} ${takenAt.slice(0, 10)}`, snapshot)
  }
}

async function syncBroken(): Promise<void> {
  const outcomes: Record<string, number> = {}
  const count = (what: string, stream: string, { status }: SyncReport) => {
    outcomes[`${what}: ${status}`] = (outcomes[`${what}: ${status}`] ?? 0) + 1
    requireThat(['held', 'refused'].includes(status), `${what} of ${stream} is rejected or quarantined`)
  }
  for (const { stream, files, takenAt } of snapshots.filter(isLast)) {
    const time = new Date(Date.parse(takenAt) + 3_600_000)
    const whole = await Promise.all(files.map(sourceFileFrom))
    const [first, ...rest] = await Promise.all(files.map(file => readFile(file)))
    if (first === undefined) continue
    const half = fileOfBytes('half', first.subarray(0, Math.floor(first.length / 2)))
    count('half a file', stream, await syncFiles(stream, [half, ...whole.slice(1)], time))
    const empty = await syncFiles(
      stream,
      [fileOfBytes('empty', ''), ...rest.map(() => fileOfBytes('empty', ''))],
      time,
    )
    count('an empty file', stream, empty)
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
  let changes = 0
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
      requireThat(delivered === total && refs.size === total, `${feed} ${market} delivers each Signal once`)
      requireThat(charged === total, `${feed} ${market} charges 1 credit a Signal`)
      if (feed === 'register-changes') changes += total
      if (total > 0)
        console.log(
          `${feed} ${market}: ${delivered} of ${total} in ${pages} pages, ${charged} credits; ` +
            `the last: ${newest}`,
        )
    }
  }
  requireThat(changes === signalsMade, `the feeds have the ${signalsMade} Signals that the syncs made`)
}

async function resolveSome(): Promise<void> {
  for (const [index, [domain, answer]] of askedDomains.entries()) {
    const response = await server.inject({
      url: `/v1/domains/resolve?domain=${encodeURIComponent(domain)}`,
      headers: { 'x-api-key': apiKey, 'idempotency-key': `journey-${index}` },
    })
    const { data, errors } = response.json()
    const { 'x-credits-charged': credits = 0, 'x-credits-remaining': remaining = '-' } = response.headers
    const charged = `charged ${credits}, ${remaining} left`
    requireThat((data?.verdict ?? errors.code) === answer, `${domain} is ${answer}`)
    requireThat(Number(credits) === (data === undefined ? 0 : 1), `${domain} costs what was delivered`)
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
  requireThat(profile !== null, 'a domain has exactly one licensed operator')
  if (profile === null) return
  const { availability, regulatory_context: context, registration, web_presence: web, launch } = profile
  console.log(`launch profile: ${availability}, web presence ${web.status}, launch ${launch.status}`)
  console.log(`    ${context.market} ${context.license_number}, ${context.licensee.legal_name}`)
  console.log(`    registered at ${registration.registered_at} by ${registration.registrar}`)
  for (const { claim_type, claimed_name, match } of profile.legal_claims)
    console.log(`    claims ${claim_type} ${claimed_name}: ${match.status}`)
  requireThat(availability === 'available' && launch.status === 'live', 'the profile is available and live')
  const claims = profile.legal_claims.map(({ match }: { match: { status: string } }) => match.status)
  requireThat(claims.includes('matched'), "a claim of the site matches its operator's license")
}

async function verify(): Promise<void> {
  const report = await verifyAll(service.live, connection)
  for (const { name, note, differences } of report.checks)
    console.log(
      `${differences.length === 0 ? 'ok  ' : 'DIFF'} ${name}${note ? ` (${note})` : ''}`,
      ...differences,
    )
  requireThat(report.ok, 'nothing that is derived differs')
}
