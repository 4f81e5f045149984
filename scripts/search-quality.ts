// Searches stored names as customers spell them, and prints how often a right Company is first, or among
// the first ten: `npm run search-quality [-- DIR] [--among N] [--misses]`. `--among` adds N fictional
// Companies.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { companyNameOf } from '../bench/data/names.ts'
import { importFiles } from '../src/dataset/index.ts'
import {
  approveSnapshot,
  findKnownStream,
  findStream,
  sourceFileFrom,
  syncRegister,
} from '../src/registers/index.ts'
import { type RealSnapshot, realSnapshots, registersOfNames } from './journey-files.ts'
import { startOwnService } from './own-service.ts'
import { requireThat } from './require-that.ts'
import {
  type LabelledQuery,
  labelledQueries,
  type NamedCompany,
  type QueryKind,
  queryKinds,
} from './search-quality-queries.ts'

const seed = 20_261_121
/** The goals of each kind of query, as shares of its queries. */
const goals = { first: 0.98, found: 1 }
const rowsMax = 10
const linesAtOnce = 20_000

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { among: { type: 'string', default: '0' }, misses: { type: 'boolean', default: false } },
})
const madeUp = Number(options.among)
const directory = resolve(positionals[0] ?? '../shared/data')
if (!existsSync(directory)) {
  console.log(
    `${directory} does not exist. The queries are made of real register files; nothing was measured.`,
  )
  process.exit(positionals[0] === undefined ? 0 : 1)
}

const { service, server, apiKey, close } = await startOwnService('search-quality')
try {
  for (const snapshot of realSnapshots(directory))
    if (registersOfNames.includes(snapshot.stream)) await sync(snapshot)
  const companies = await readCompanies()
  await loadMadeUp(madeUp)
  const queries = labelledQueries(companies, await readCompanies(), seed)
  const figures = new Map<QueryKind, Figures>()
  for (const query of queries) tally(figures, query, await placeOf(query))
  print(companies.length, queries.length, figures)
  judge(figures)
} finally {
  await close()
}

async function sync({ stream: key, files, takenAt }: RealSnapshot): Promise<void> {
  const stream = findStream(key)
  if (stream === undefined) throw new Error(`no stream ${key}`)
  const sources = await Promise.all(files.map(sourceFileFrom))
  const report = await syncRegister(service.live, stream, sources, {
    takenAt: new Date(takenAt),
    now: new Date(),
  })
  if (report.status !== 'held') return
  const reason = 'the two files of this measurement are far apart'
  await approveSnapshot(service.live, {
    snapshotRef: report.snapshot_ref as string,
    reason,
    findStream: findKnownStream,
    now: new Date(),
  })
}

async function readCompanies(): Promise<NamedCompany[]> {
  const { database } = service.live
  const companies = await database
    .selectFrom('companies')
    .select(['id', 'company_ref', 'company_name', 'legal_entity', 'brands', 'aliases'])
    .where('merged_into', 'is', null)
    .orderBy('id')
    .execute()
  const links = await database
    .selectFrom('domain_companies')
    .innerJoin('domains', 'domains.id', 'domain_companies.domain_id')
    .select(['company_id', 'domain'])
    .where('known_to', 'is', null)
    .orderBy('domain')
    .execute()
  const sites = Map.groupBy(links, link => link.company_id)
  return companies.map(company => ({
    ref: company.company_ref,
    names: [...new Set([company.company_name, company.legal_entity].filter(name => name !== null))],
    brands: [...company.brands, ...company.aliases],
    domains: [...new Set((sites.get(company.id) ?? []).map(link => link.domain))],
  }))
}

async function loadMadeUp(count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'baize-made-up-'))
  try {
    for (let from = 0; from < count; from += linesAtOnce) {
      const lines = Array.from({ length: Math.min(linesAtOnce, count - from) }, (_, index) => {
        const name = companyNameOf(from + index)
        const company = {
          kind: 'company',
          key: `made-up ${from + index}`,
          company_name: name,
          legal_entity: `${name} Limited`,
          subject_kind: 'legal_entity',
        }
        return `${JSON.stringify(company)}\n`
      })
      const file = join(folder, `${from}.ndjson`)
      await writeFile(file, lines.join(''))
      await importFiles(service.live, [file], { mode: 'strict' })
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function placeOf({ kind, text, right }: LabelledQuery): Promise<number | null> {
  const parameters = new URLSearchParams({
    [kind === 'domain' ? 'domain' : 'q']: text,
    page_size: String(rowsMax),
  })
  const response = await ask(`/v1/companies/search?${parameters}`)
  const hits: { company_ref: string }[] = response.json().data.hits
  const index = hits.findIndex(hit => right.has(hit.company_ref))
  return index < 0 ? null : index + 1
}

const attemptsMax = 10

/** Sends a request and retries 503, because making the queries keeps this process busy. */
async function ask(url: string) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await server.inject({ url, headers: { 'x-api-key': apiKey } })
    if (response.statusCode === 200) return response
    if (response.statusCode !== 503 || attempt === attemptsMax)
      throw new Error(`${url}: ${response.statusCode} ${response.body}`)
    await pause(Number(response.headers['retry-after'] ?? 1) * 1_000)
  }
}

type Figures = { queries: number; first: number; found: number }

function tally(figures: Map<QueryKind, Figures>, query: LabelledQuery, place: number | null): void {
  const counts = figures.get(query.kind) ?? { queries: 0, first: 0, found: 0 }
  counts.queries += 1
  if (place === 1) counts.first += 1
  if (place !== null) counts.found += 1
  figures.set(query.kind, counts)
  if (options.misses && place !== 1)
    console.log(`${query.kind}: "${query.text}" meant ${query.meant}; ${place ?? 'not found'}`)
}

function print(companies: number, queries: number, figures: Map<QueryKind, Figures>): void {
  const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
  console.log(
    `${queries} queries for ${companies} real companies among ${madeUp} made-up ones, seed ${seed}\n`,
  )
  console.log('| What is typed | Queries | First | First ten |\n|---|---|---|---|')
  for (const [kind, { queries: of, first, found }] of figures)
    console.log(`| ${queryKinds[kind]} | ${of} | ${share(first, of)} | ${share(found, of)} |`)
  const all = [...figures.values()]
  const sum = (field: keyof Figures) => all.reduce((total, each) => total + each[field], 0)
  console.log(`| all | ${queries} | ${share(sum('first'), queries)} | ${share(sum('found'), queries)} |`)
}

function judge(figures: ReadonlyMap<QueryKind, Figures>): void {
  for (const kind of Object.keys(queryKinds) as QueryKind[]) {
    const { queries, first, found } = figures.get(kind) ?? { queries: 0, first: 0, found: 0 }
    requireThat(queries > 0, `there are queries of the kind "${queryKinds[kind]}"`)
    requireThat(first >= goals.first * queries, `${queryKinds[kind]}: first in ${goals.first * 100} %`)
    requireThat(
      found >= goals.found * queries,
      `${queryKinds[kind]}: in the first ten in ${goals.found * 100} %`,
    )
  }
}
