import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ImportedLogo, reconcileLogos, type StoredLogo } from './reconcile-logos.ts'

const stored = (file_name: string, rest: Partial<StoredLogo> = {}): StoredLogo => ({
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
const imported = (file_name: string, rest: Partial<ImportedLogo> = {}): ImportedLogo => ({
  ...stored(file_name),
  status: null,
  first_seen_at: null,
  ...rest,
})

function reconcile(before: readonly StoredLogo[], lines: readonly ImportedLogo[], now = 1_000) {
  const rows = before.map((row, id) => ({ ...row, id }))
  const { outcomes, inserts, updates } = reconcileLogos(rows, lines, now)
  const after = [...rows.map(row => updates.find(update => update.id === row.id) ?? row), ...inserts]
  return { outcomes, after: after.map(({ id: _, ...row }: StoredLogo & { id?: number }) => row) }
}

const summary = (rows: readonly StoredLogo[]) =>
  rows.map(row => [row.file_name, row.status, row.first_seen_at, row.superseded_at])

describe('an imported logo', () => {
  test('a new logo supersedes the current logo, which ends when the new logo begins', () => {
    const { outcomes, after } = reconcile([stored('a')], [imported('b')])
    expect(outcomes).toEqual(['added'])
    expect(summary(after)).toEqual([
      ['a', 'superseded', 100, 1_000],
      ['b', 'current', 1_000, null],
    ])
  })

  test('a logo that is stored already changes nothing', () => {
    const before = [stored('a'), stored('b', { theme: 'dark' }), stored('c', { format: 'png' })]
    expect(reconcile(before, [imported('a')])).toEqual({ outcomes: ['unchanged'], after: before })
  })

  test('a new logo supersedes an old one in another format', () => {
    const { after } = reconcile([stored('a'), stored('c', { format: 'png' })], [imported('b')])
    expect(after.filter(row => row.status === 'current').map(row => row.file_name)).toEqual(['b'])
  })

  test('a logo is current beside another format from the same import', () => {
    const { after } = reconcile([stored('a')], [imported('b'), imported('c', { format: 'png' })])
    expect(after.filter(row => row.status === 'current').map(row => row.file_name)).toEqual(['b', 'c'])
  })

  test('a logo of another theme or variant supersedes nothing', () => {
    const { after } = reconcile(
      [stored('a')],
      [imported('b', { theme: 'dark' }), imported('c', { variant: 'icon' })],
    )
    expect(after.map(row => row.status)).toEqual(['current', 'current', 'current'])
  })

  test('a logo that returns gets a new row, and its old row is unchanged', () => {
    const before = [
      stored('a', { status: 'superseded', superseded_at: 200 }),
      stored('b', { first_seen_at: 200 }),
    ]
    expect(summary(reconcile(before, [imported('a')]).after)).toEqual([
      ['a', 'superseded', 100, 200],
      ['b', 'superseded', 200, 1_000],
      ['a', 'current', 1_000, null],
    ])
  })

  test('a logo with an old date that is imported late is superseded at once', () => {
    expect(
      summary(
        reconcile([stored('b', { first_seen_at: 500 })], [imported('a', { first_seen_at: 300 })]).after,
      ),
    ).toEqual([
      ['b', 'current', 500, null],
      ['a', 'superseded', 300, 500],
    ])
  })

  test('of two lines of an import for one logo, the last line counts', () => {
    const { outcomes, after } = reconcile([], [imported('a'), imported('b')])
    expect(outcomes).toEqual(['unchanged', 'added'])
    expect(summary(after)).toEqual([['b', 'current', 1_000, null]])
  })

  test('a logo from another source is reported as changed', () => {
    const { outcomes, after } = reconcile([stored('a')], [imported('a', { source: 'website' })])
    expect([outcomes, after[0]?.source]).toEqual([['changed'], 'website'])
  })
})

describe.each(['withdrawn', 'rejected'] as const)('a logo that was %s', status => {
  const gone = stored('a', { status, superseded_at: 200 })

  test('importing a withdrawn or rejected logo again does not restore it', () => {
    expect(reconcile([gone], [imported('a')])).toEqual({ outcomes: ['unchanged'], after: [gone] })
  })

  test('a withdrawn or rejected logo is restored by a line with the status current', () => {
    expect(summary(reconcile([gone], [imported('a', { status: 'current' })]).after)).toEqual([
      ['a', 'current', 100, null],
    ])
  })

  test('a withdrawn or rejected logo does not prevent another logo from becoming current', () => {
    expect(reconcile([gone], [imported('b')]).after.map(row => row.status)).toEqual([status, 'current'])
  })

  test('a current logo that a line withdraws or rejects ends at the time of the import', () => {
    const { outcomes, after } = reconcile([stored('a')], [imported('a', { status })])
    expect([outcomes, summary(after)]).toEqual([['changed'], [['a', status, 100, 1_000]]])
  })
})

test('an image that is rejected when it is first imported has no end date', () => {
  expect(summary(reconcile([], [imported('a', { status: 'rejected' })]).after)).toEqual([
    ['a', 'rejected', 1_000, null],
  ])
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
  .map(({ format, file_name, ...rest }) => imported(`${file_name}.${format}`, { format, ...rest }))
/** Draws an import, which lists an image at most once per theme. */
const file = fc
  .array(line, { maxLength: 6 })
  .map(lines => lines.filter((each, index) => lines.findIndex(other => isOne(each, other)) === index))
const isOne = (one: ImportedLogo, other: ImportedLogo) =>
  one.file_name === other.file_name && one.theme === other.theme
const files = fc.array(file, { maxLength: 6 })

const reconcileAll = (all: readonly ImportedLogo[][]) =>
  all.reduce<StoredLogo[]>((rows, lines, index) => reconcile(rows, lines, 1_000 + index).after, [])

test('each variant, theme and format has at most one current image, and only this has no end', () => {
  fc.assert(
    fc.property(files, all => {
      const rows = reconcileAll(all)
      const slots = rows
        .filter(row => row.status === 'current')
        .map(row => `${row.variant} ${row.theme} ${row.format}`)
      expect(new Set(slots).size).toBe(slots.length)
      for (const row of rows) expect(row.superseded_at === null).toBe(row.status === 'current')
      for (const row of rows) expect(row.superseded_at ?? 1e6).toBeGreaterThanOrEqual(row.first_seen_at)
      const keys = rows.map(row => `${row.theme} ${row.file_name} ${row.first_seen_at}`)
      expect(new Set(keys).size).toBe(keys.length)
    }),
  )
})

test('importing a file of logos twice changes nothing the second time', () => {
  fc.assert(
    fc.property(files, all => {
      const rows = reconcileAll(all)
      const last = all.at(-1) ?? []
      expect(reconcile(rows, last, 2_000).after).toEqual(rows)
    }),
  )
})

test('a dump of logos recreates the same rows elsewhere and changes nothing here', () => {
  fc.assert(
    fc.property(files, all => {
      const rows = reconcileAll(all)
      const dumped = rows.map(
        (row): ImportedLogo => ({ ...row, status: row.status === 'current' ? null : row.status }),
      )
      expect(reconcile(rows, dumped, 3_000).after).toEqual(rows)
      expect(reconcile([], dumped, 3_000).after).toEqual(rows)
    }),
  )
})
