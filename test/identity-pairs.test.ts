import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findStream, type LicenseeRow, type Stream } from '@baize/registers'
import { fileAt } from '@baize/tables'
import { expect, test } from 'vitest'
import { gather } from '../packages/registers/test/gather.ts'
import {
  type Holder,
  halves,
  knownOperators,
  labelledHolders,
  labelledPairs,
  labels,
} from '../scripts/identity-quality/labelled-pairs.ts'
import { changedFilesIn } from '../scripts/observation-quality/labelled-sites.ts'

const data = join(import.meta.dirname, '../../shared/data')
const hasRealFiles = existsSync(data)

const holders = labelledHolders()
const pairs = halves.flatMap(half => labelledPairs(half).map(pair => ({ ...pair, half })))
const idOf = ({ a, b }: { a: Holder; b: Holder }) => [a.key, b.key].toSorted().join(' ')
const { in_pieces, right_today } = knownOperators()
const operators = [...in_pieces, ...right_today]

test('at least 400 pairs of holders are labelled, none of them twice, and half are frozen', () => {
  expect(pairs.length).toBeGreaterThanOrEqual(400)
  expect(new Set(pairs.map(idOf)).size).toBe(pairs.length)
  expect(pairs.filter(({ a, b }) => a.key === b.key)).toEqual([])
  const [tuning = 0, frozen = 0] = halves.map(half => pairs.filter(pair => pair.half === half).length)
  expect(Math.abs(tuning - frozen)).toBeLessThanOrEqual(1)
})

test('each half has pairs of every label, chosen by rule and at random, each with a reason', () => {
  for (const half of halves) {
    const own = pairs.filter(pair => pair.half === half)
    expect(new Set(own.map(({ label }) => label))).toEqual(new Set(labels))
    expect(own.filter(({ label }) => label === 'same').length).toBeGreaterThanOrEqual(40)
    expect(own.filter(({ chosen }) => chosen === 'random').length / own.length).toBeCloseTo(0.5, 1)
  }
  expect(pairs.filter(({ reason }) => reason.trim() === '' || reason.length > 120)).toEqual([])
})

test('the frozen pairs are unchanged', () => {
  expect(changedFilesIn(join(import.meta.dirname, 'identity-pairs/frozen'))).toEqual([])
})

test('labels do not contradict each other', () => {
  const partyOf = new Map([...holders.keys()].map(key => [key, key]))
  const join = (one: string, other: string) => {
    const [from, to] = [partyOf.get(one), partyOf.get(other) ?? other]
    for (const [key, party] of partyOf) if (party === from) partyOf.set(key, to)
  }
  for (const { label, a, b } of pairs) if (label === 'same') join(a.key, b.key)
  for (const { rows } of operators) for (const row of rows) join(rows[0] ?? row, row)
  const isJoined = (one: string, other: string) => partyOf.get(one) === partyOf.get(other)
  expect(pairs.filter(({ label, a, b }) => label !== 'same' && isJoined(a.key, b.key)).map(idOf)).toEqual([])
  const wrongSiblings = operators.flatMap(({ rows, siblings }) =>
    siblings.filter(sibling => isJoined(rows[0] ?? '', sibling)),
  )
  expect(wrongSiblings).toEqual([])
})

test('20 well-known operators have their rows: 14 in pieces and 6 of one row', () => {
  expect([in_pieces.length, right_today.length]).toEqual([14, 6])
  const rows = operators.flatMap(operator => operator.rows)
  expect(new Set(rows).size).toBe(rows.length)
  const named = [...rows, ...operators.flatMap(({ siblings }) => siblings)]
  expect(named.filter(key => !holders.has(key))).toEqual([])
  expect(in_pieces.filter(operator => operator.rows.length < 2)).toEqual([])
  expect(right_today.filter(operator => operator.rows.length !== 1)).toEqual([])
})

test('every holder has a stream that is read, and an official file or a copy', () => {
  expect([...holders.values()].filter(({ stream }) => findStream(stream) === undefined)).toEqual([])
  const sources = [...holders.values()].map(({ file, copy }) =>
    [file, copy].filter(each => each !== undefined),
  )
  expect(sources.filter(each => each.length !== 1)).toEqual([])
})

type Read = { row: LicenseeRow; domains: Set<string> }

/** Reads the holders of an official file by the name that it prints, where a brand may stand in brackets. */
async function readHolders(stream: string, file: string): Promise<Map<string, Read>> {
  const path = join(data, file)
  const paths = /\.\w+$/.test(file) ? [path] : readdirSync(path).map(name => join(path, name))
  const rows = await gather((findStream(stream) as Stream).read(paths.map(each => fileAt(each))))
  const holderOf = new Map(rows.license.map(license => [license.recordKey, license.licenseeKey]))
  const domainsOf = (key: string) =>
    rows.authorisation
      .filter(({ licenseeKey, licenseKey }) => (licenseeKey ?? holderOf.get(licenseKey ?? '')) === key)
      .map(({ domain }) => domain)
  return new Map(
    rows.licensee.flatMap(row => {
      const read = { row, domains: new Set(domainsOf(row.recordKey)) }
      const printed = row.tradingNames.map(brand => `${row.legalName} (${brand})`)
      return [row.legalName, ...printed].map((name): [string, Read] => [name, read])
    }),
  )
}

const isAsLabelled = (holder: Holder, { row, domains }: Read) =>
  row.isPerson !== true &&
  row.registrationNumber === (holder.number ?? null) &&
  row.country === (holder.country ?? null) &&
  (holder.domains ?? []).length === Math.min(domains.size, 12) &&
  (holder.domains ?? []).every(domain => domains.has(domain))

test.skipIf(!hasRealFiles)(
  'holders of official files are read as labelled, and are no persons (skipped without ../shared/data)',
  async () => {
    const wrong: string[] = []
    const withFile = [...holders.values()].filter(holder => holder.file !== undefined)
    for (const source of new Set(withFile.map(({ stream, file }) => `${stream} ${file}`))) {
      const [stream = '', file = ''] = source.split(' ')
      const read = await readHolders(stream, file)
      for (const holder of withFile.filter(each => each.stream === stream && each.file === file)) {
        const found = read.get(holder.name)
        if (found === undefined || !isAsLabelled(holder, found)) wrong.push(holder.key)
      }
    }
    expect(withFile.length).toBeGreaterThanOrEqual(50)
    expect(wrong).toEqual([])
  },
)
