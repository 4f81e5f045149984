import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ImportedLogo, reconcileLogos, type StoredLogo } from './reconcile-logos.ts'

const held = (file_name: string, rest: Partial<StoredLogo> = {}): StoredLogo => ({
  variant: 'logo',
  theme: 'light',
  format: 'svg',
  width: 10,
  height: 10,
  file_name,
  source: 'catalog',
  status: 'current',
  first_seen_at: 100,
  superseded_at: null,
  ...rest,
})
const said = (file_name: string, rest: Partial<ImportedLogo> = {}): ImportedLogo => ({
  ...held(file_name),
  status: null,
  first_seen_at: null,
  ...rest,
})

/** Plays lines against what is held, and tells what is held then. */
function play(before: readonly StoredLogo[], lines: readonly ImportedLogo[], now = 1_000) {
  const rows = before.map((row, id) => ({ ...row, id }))
  const { outcomes, inserts, updates } = reconcileLogos(rows, lines, now)
  const after = [...rows.map(row => updates.find(update => update.id === row.id) ?? row), ...inserts]
  return { outcomes, after: after.map(({ id: _, ...row }: StoredLogo & { id?: number }) => row) }
}

const told = (rows: readonly StoredLogo[]) =>
  rows.map(row => [row.file_name, row.status, row.first_seen_at, row.superseded_at])

describe('a logo', () => {
  test('that is new takes the place of the one before, which ends when it begins', () => {
    const { outcomes, after } = play([held('a')], [said('b')])
    expect(outcomes).toEqual(['added'])
    expect(told(after)).toEqual([
      ['a', 'superseded', 100, 1_000],
      ['b', 'current', 1_000, null],
    ])
  })

  test('that is held changes nothing, and neither do its neighbours', () => {
    const before = [held('a'), held('b', { theme: 'dark' }), held('c', { format: 'png' })]
    expect(play(before, [said('a')])).toEqual({ outcomes: ['unchanged'], after: before })
  })

  test('leaves no old one behind in another format', () => {
    const { after } = play([held('a'), held('c', { format: 'png' })], [said('b')])
    expect(after.filter(row => row.status === 'current').map(row => row.file_name)).toEqual(['b'])
  })

  test('stands beside another format of the same files', () => {
    const { after } = play([held('a')], [said('b'), said('c', { format: 'png' })])
    expect(after.filter(row => row.status === 'current').map(row => row.file_name)).toEqual(['b', 'c'])
  })

  test('of another theme or variant is another place', () => {
    const { after } = play([held('a')], [said('b', { theme: 'dark' }), said('c', { variant: 'icon' })])
    expect(after.map(row => row.status)).toEqual(['current', 'current', 'current'])
  })

  test('that comes back begins anew, and its past stays', () => {
    const before = [
      held('a', { status: 'superseded', superseded_at: 200 }),
      held('b', { first_seen_at: 200 }),
    ]
    expect(told(play(before, [said('a')]).after)).toEqual([
      ['a', 'superseded', 100, 200],
      ['b', 'superseded', 200, 1_000],
      ['a', 'current', 1_000, null],
    ])
  })

  test('of an older file that is loaded late is one of the past', () => {
    expect(
      told(play([held('b', { first_seen_at: 500 })], [said('a', { first_seen_at: 300 })]).after),
    ).toEqual([
      ['b', 'current', 500, null],
      ['a', 'superseded', 300, 500],
    ])
  })

  test('named twice in one file is the last of the two', () => {
    const { outcomes, after } = play([], [said('a'), said('b')])
    expect(outcomes).toEqual(['unchanged', 'added'])
    expect(told(after)).toEqual([['b', 'current', 1_000, null]])
  })

  test('takes a better source, which is a change', () => {
    const { outcomes, after } = play([held('a')], [said('a', { source: 'website' })])
    expect([outcomes, after[0]?.source]).toEqual([['changed'], 'website'])
  })
})

describe.each(['withdrawn', 'rejected'] as const)('a logo that was %s', status => {
  const gone = held('a', { status, superseded_at: 200 })

  test('stays so when it is told again', () => {
    expect(play([gone], [said('a')])).toEqual({ outcomes: ['unchanged'], after: [gone] })
  })

  test('is current again when a line says so in so many words', () => {
    expect(told(play([gone], [said('a', { status: 'current' })]).after)).toEqual([
      ['a', 'current', 100, null],
    ])
  })

  test('gives its place to another', () => {
    expect(play([gone], [said('b')]).after.map(row => row.status)).toEqual([status, 'current'])
  })

  test('ends now if it was current until now', () => {
    const { outcomes, after } = play([held('a')], [said('a', { status })])
    expect([outcomes, told(after)]).toEqual([['changed'], [['a', status, 100, 1_000]]])
  })
})

test('one that is rejected at once was never current', () => {
  expect(told(play([], [said('a', { status: 'rejected' })]).after)).toEqual([['a', 'rejected', 1_000, null]])
})

const few = <Value>(...values: Value[]) => fc.constantFrom(...values)
const line: fc.Arbitrary<ImportedLogo> = fc
  .record({
    file_name: few('a', 'b', 'c'),
    theme: few('light', 'dark'),
    format: few('svg' as const, 'png' as const),
    status: few(null, null, null, 'current' as const, 'superseded' as const, 'withdrawn' as const),
    first_seen_at: few(null, null, 300, 600),
  })
  // A file has one format, whatever a line is about.
  .map(({ format, file_name, ...rest }) => said(`${file_name}.${format}`, { format, ...rest }))
/** What a file says of an image it says once, or of times that it tells apart. */
const file = fc
  .array(line, { maxLength: 6 })
  .map(lines => lines.filter((each, index) => lines.findIndex(other => isOne(each, other)) === index))
const isOne = (one: ImportedLogo, other: ImportedLogo) =>
  one.file_name === other.file_name && one.theme === other.theme
const files = fc.array(file, { maxLength: 6 })

const playAll = (all: readonly ImportedLogo[][]) =>
  all.reduce<StoredLogo[]>((rows, lines, index) => play(rows, lines, 1_000 + index).after, [])

test('of each variant, theme and format at most one is current, and every other has an end', () => {
  fc.assert(
    fc.property(files, all => {
      const rows = playAll(all)
      const places = rows
        .filter(row => row.status === 'current')
        .map(row => `${row.variant} ${row.theme} ${row.format}`)
      expect(new Set(places).size).toBe(places.length)
      for (const row of rows) expect(row.superseded_at === null).toBe(row.status === 'current')
      for (const row of rows) expect(row.superseded_at ?? 1e6).toBeGreaterThanOrEqual(row.first_seen_at)
      const keys = rows.map(row => `${row.theme} ${row.file_name} ${row.first_seen_at}`)
      expect(new Set(keys).size).toBe(keys.length)
    }),
  )
})

test('a file that is loaded twice changes nothing the second time', () => {
  fc.assert(
    fc.property(files, all => {
      const rows = playAll(all)
      const last = all.at(-1) ?? []
      expect(play(rows, last, 2_000).after).toEqual(rows)
    }),
  )
})

test('what is held, told as a dump tells it, makes the same anywhere and changes nothing here', () => {
  fc.assert(
    fc.property(files, all => {
      const rows = playAll(all)
      const dumped = rows.map(
        (row): ImportedLogo => ({ ...row, status: row.status === 'current' ? null : row.status }),
      )
      expect(play(rows, dumped, 3_000).after).toEqual(rows)
      expect(play([], dumped, 3_000).after).toEqual(rows)
    }),
  )
})
