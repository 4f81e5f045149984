/** Finds the items of a file, and the addresses in them, that no reading names. */
import type { Reading } from '../../stream.ts'
import { type Item, plain } from './item.ts'

/** Returns what a reading says in the words of the file. Keys, and what is put into other words, are left out. */
function wordsOf(reading: Reading): string[] {
  switch (reading.record) {
    case 'licensee':
      return [reading.legalName, reading.registrationNumber ?? '', ...reading.tradingNames]
    case 'license':
      return [
        reading.licenseNumber ?? '',
        reading.sourceUrl ?? '',
        ...(reading.licenseType ?? '').split(/[;:,] /),
      ]
    default:
      return [...new Set([reading.published, ...reading.published.split(/ \| |\n/)])]
  }
}

type Said = Readonly<Record<string, number>>

/** Separates words by one blank, because a reader takes parts of a cell with or without what surrounds them. */
const spaced = (text: string) =>
  plain(text)
    .replaceAll(/[\s,;|()<>":*]+/g, ' ')
    .trim()

/** Counts the readings that say a text, by kind. */
function sayings(readings: readonly Reading[]): Map<string, Said> {
  const said = new Map<string, Record<string, number>>()
  for (const reading of readings)
    for (const text of wordsOf(reading).map(spaced)) {
      const counts = said.get(text) ?? {}
      counts[reading.record] = (counts[reading.record] ?? 0) + 1
      said.set(text, counts)
    }
  said.delete('')
  return said
}

/** A row can give a record of each kind, so only the kind with the most of them counts. */
const timesSaid = ({ reject = 0, notice = 0, ...records }: Said) =>
  reject + notice + Math.max(0, ...Object.values(records))

type Printed = { item: Item; texts: readonly string[] }

/** Where an item prints a text: the candidates in a cell, and whether a cell has one there. */
type Place = { runs: (text: string) => Iterable<string>; has: (text: string, run: string) => boolean }

const wordsPerTextMax = 120
const places: readonly Place[] = [
  { runs: text => [text], has: (text, run) => text === run },
  { runs: text => runsFrom(text.split(' '), 0), has: (text, run) => `${text} `.startsWith(`${run} `) },
  { runs: allRuns, has: (text, run) => ` ${text} `.includes(` ${run} `) },
]

function* runsFrom(words: readonly string[], start: number): Generator<string, void> {
  for (let end = start + 1; end <= Math.min(words.length, wordsPerTextMax); end += 1)
    yield words.slice(start, end).join(' ')
}

function* allRuns(text: string): Generator<string, void> {
  const words = text.split(' ').slice(0, wordsPerTextMax)
  for (const start of words.keys()) yield* runsFrom(words, start)
}

/**
 * Returns the items that no reading names: by a whole cell, or else by the beginning or another part of one.
 * A text names the items that print it if it is said as often. `combines` returns the texts of records that
 * rows have in common.
 */
export function unnamedItems(
  items: readonly Item[],
  readings: readonly Reading[],
  combines: (reading: Reading) => readonly (string | null)[],
): Item[] {
  const said = sayings(readings)
  const common = new Set(readings.flatMap(combines).map(text => spaced(text ?? '')))
  const printed = items.map((item): Printed => ({ item, texts: item.texts.map(spaced) }))
  const names = new Map<Printed, string[]>()
  for (const place of places) {
    const left = printed.filter(each => !names.has(each))
    const wanted = new Set(
      left.flatMap(({ texts }) => texts.flatMap(text => [...place.runs(text)].filter(run => said.has(run)))),
    )
    const printing = printersOf(wanted, printed, place)
    for (const run of wanted) {
      // Within a longer text that is said of another item, it is not said of that item.
      const own = (printing.get(run) ?? []).filter(
        each => names.get(each)?.some(name => name !== run && ` ${name} `.includes(` ${run} `)) !== true,
      )
      if (common.has(run) || timesSaid(said.get(run) ?? {}) >= own.length)
        for (const each of own) names.set(each, [...(names.get(each) ?? []), run])
    }
  }
  const left = printed.filter(each => !names.has(each)).map(({ item }) => item)
  if (left.length === 0) return []
  const whole = new Set(printed.flatMap(({ texts }) => texts))
  const reports = readings
    .filter(isReport)
    .filter(each => !whole.has(spaced(each.published)))
    .map(each => plain(each.published))
  return left.filter(item => !reports.some(report => quotes(report, item)))
}

function printersOf(
  wanted: ReadonlySet<string>,
  printed: readonly Printed[],
  { has }: Place,
): Map<string, Printed[]> {
  if (has === places[0]?.has) {
    const pairs = printed.flatMap(each =>
      [...new Set(each.texts)].filter(text => wanted.has(text)).map(text => [text, each] as const),
    )
    return new Map(
      [...Map.groupBy(pairs, ([text]) => text)].map(([text, of]) => [text, of.map(([, each]) => each)]),
    )
  }
  return new Map(
    [...wanted].map(run => [run, printed.filter(({ texts }) => texts.some(text => has(text, run)))]),
  )
}

/** Checks whether a report names the list of an item, or quotes more than half of its texts. */
function quotes(report: string, { texts, list }: Item): boolean {
  const different = [...new Set(texts)]
  return report === list || different.filter(text => report.includes(text)).length * 2 > different.length
}

const isReport = (reading: Reading) => reading.record === 'reject' || reading.record === 'notice'

const address = /^(?:https?:\/\/)?((?:[\p{L}\p{N}_-]+\.)+\p{L}{2,})(?:[/?#:].*)?$/u
export const hostsIn = (text: string) =>
  plain(text)
    .split(/[\s,;|()<>"]+/)
    .flatMap(word => address.exec(word)?.[1]?.replace(/^www\./, '') ?? [])

/** Returns the hosts of the addresses in items that no reading has. */
export function unnamedHosts(items: readonly Item[], readings: readonly Reading[]): string[] {
  const named = new Set(readings.flatMap(wordsOf).flatMap(hostsIn))
  const reports = new Set(readings.filter(isReport).map(each => plain(each.published)))
  const own = items
    .filter(({ list = '' }) => !reports.has(list))
    .flatMap(({ texts }) => texts.flatMap(hostsIn))
  return [...new Set(own)].filter(host => !named.has(host))
}
