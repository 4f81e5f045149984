import { rootCertificates } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { described, fixtureText, jsonDescription, problemsOf } from '../test/described.ts'

const blocklist = fixtureText('croatia-blocklist.yaml')

const changed = (text: string, from: string, to: string) => {
  if (!text.includes(from)) throw new Error(`the description has no ${from}`)
  return text.replace(from, to)
}

const unstated = 'the description, which does not name its source'

test('a stream has the facts that its description states', () => {
  const { read: _, parserVersion, ...facts } = described(blocklist)
  expect(facts).toEqual({
    key: 'croatia.blocklist',
    market: 'croatia',
    covers: ['blocklist'],
    regulator: 'Office of Games (fictional)',
    regulatorCountryCode: 'HR',
    officialUrl: 'https://regulator.example/popis',
    official: {
      files: [{ url: 'https://regulator.example/popis', resolve: { by: 'direct' } }],
      language: 'und',
      layout: 'described',
      layoutRecordedAt: null,
      columns: [],
      terms: null,
      sources: {
        address: unstated,
        layout: unstated,
        compared: null,
        cadence: unstated,
        rows: unstated,
        terms: null,
      },
    },
    format: 'CSV, windows-1250, semicolon',
    cadence: { words: 'about weekly', hours: 168 },
    publishes: {
      licenses: false,
      holders: false,
      statuses: true,
      revoked: false,
      dates: true,
      domains: true,
      roles: false,
    },
    makesMarketEntries: false,
    identity: 'the address with the day of its listing',
    rowsMin: 3,
    rowsMax: null,
    endsWithLineBreak: false,
    sourceClaim: 'blocklist',
    qualification: 'Sites that the office has ordered to be blocked.',
    sourceIdentity: 'Popis nedopuštenih igara',
  })
  expect(parserVersion).toBeGreaterThan(0)
  expect(parserVersion).toBeLessThan(2 ** 31)
})

test('a description states where the file of its stream is found, and how that is known', () => {
  const official = changed(
    blocklist,
    'cadence:',
    `resolve: { by: newest_link, href: 'popis.*\\.csv', text: 'Popis', newest: latest_date, within: '#main' }
language: hr
layout: { recorded_at: 2026-10-01, columns: [Adresa, Datum] }
terms: CC BY 4.0
sources: { address: the page of the office, terms: its imprint }
cadence:`,
  )
  expect(described(official).official).toEqual({
    files: [
      {
        url: 'https://regulator.example/popis',
        resolve: {
          by: 'newest_link',
          href: 'popis.*\\.csv',
          text: 'Popis',
          newest: 'latest_date',
          within: '#main',
        },
      },
    ],
    language: 'hr',
    layout: 'recorded',
    layoutRecordedAt: '2026-10-01',
    columns: ['Adresa', 'Datum'],
    terms: 'CC BY 4.0',
    sources: {
      address: 'the page of the office',
      layout: unstated,
      compared: null,
      cadence: unstated,
      rows: unstated,
      terms: 'its imprint',
    },
  })
})

test.each([
  ['{ by: newest_link }', 'resolve by newest_link needs text or href, to recognise the link'],
  ['{ by: direct, href: x }', 'resolve by direct accepts no other key'],
  ['{ by: json_field, href: x }', 'resolve by json_field needs path'],
  ['{ by: sheet, gid: 0, text: x }', 'resolve by sheet accepts only gid'],
  ['{ by: newest_link, href: x, all: true, newest: last }', 'resolve.newest chooses one file'],
  ['{ by: newest_link, href: x, workbook: true }', 'resolve.workbook needs file.format xlsx, found csv'],
  ['{ by: json_field, path: id, address: "https://{value}.example" }', 'resolve.address must begin with'],
  ['{ by: json_field, path: id, address: "https://a.example/" }', 'resolve.address must begin with'],
  ["{ by: newest_link, text: '(' }", 'resolve.text must be a regular expression'],
  ['{ by: newest_lnk }', 'resolve.by must be one of direct, newest_link, json_field, pages, sheet'],
])('the way to find a file %s is refused: %s', (resolve, message) => {
  expect(problemsOf(changed(blocklist, 'cadence:', `resolve: ${resolve}\ncadence:`))).toEqual([
    expect.stringContaining(message),
  ])
})

test('a register with licenses of operators makes market entries', () => {
  const makes = (role?: object) => {
    const license = { key: ['site'], license_number: { column: 'site' }, ...(role && { role }) }
    const licensee = { key: ['site'], legal_name: { column: 'site' } }
    const { publishes, records } = jsonDescription
    return described(
      JSON.stringify({
        ...jsonDescription,
        publishes: { ...publishes, domains: true },
        records: { ...records, licensee, license },
      }),
    ).makesMarketEntries
  }
  expect(makes()).toBe(false)
  expect(makes({ constant: 'operator' })).toBe(true)
  expect(makes({ constant: 'supplier' })).toBe(false)
  expect(makes({ column: 'site' })).toBe(true)
  expect(makes({ column: 'site', words: { A: 'operator', B: 'supplier' } })).toBe(true)
  expect(makes({ column: 'site', words: { B: 'supplier' } })).toBe(false)
})

test('a description can be JSON', () => {
  const asJson = JSON.stringify(jsonDescription, null, 2)
  expect(problemsOf(asJson)).toEqual([])
  expect(problemsOf(asJson.replace('"tsv"', '"tvs"'))).toEqual([
    '26:15 file.format must be one of csv, tsv, xlsx, xml, json, html, pdf, text, hosts, found "tvs"; did you mean "tsv"?',
  ])
})

describe('the version of the reader', () => {
  const version = (text: string) => described(text).parserVersion

  test('the version of the reader changes with every change of reading', () => {
    const readings = [
      blocklist,
      changed(blocklist, 'delimiter: semicolon', 'delimiter: pipe'),
      changed(blocklist, 'title_rows_max: 3', 'title_rows_max: 4'),
      changed(blocklist, 'headers: [Stanje]', 'headers: [Stanje, Status]'),
      changed(blocklist, 'words: [ukupno]', 'words: [svega]'),
      changed(blocklist, '["-"]', "['-', '?']"),
      changed(blocklist, 'izbrisano: delisted', 'izbrisano: listed'),
      changed(blocklist, 'date_forms: [d.m.yyyy]', 'date_forms: [prose]'),
    ]
    expect(new Set(readings.map(version)).size).toBe(readings.length)
  })

  test('the version of the reader does not change with facts, comments or key order', () => {
    const sameReading = [
      changed(blocklist, 'about weekly', 'weekly'),
      changed(blocklist, 'rows_min: 3', 'rows_min: 7 # since March'),
      changed(
        blocklist,
        'encoding: windows-1250\n  delimiter: semicolon',
        'delimiter: semicolon\n  encoding: windows-1250',
      ),
    ]
    expect(new Set(sameReading.map(version))).toEqual(new Set([version(blocklist)]))
  })
})

test('a description may omit the facts of the guard', () => {
  const facts = 'rows_min: 3\nrows_max: 90\nends_with_line_break: true'
  expect(described(changed(blocklist, 'rows_min: 3', facts))).toMatchObject({
    rowsMin: 3,
    rowsMax: 90,
    endsWithLineBreak: true,
  })
})

test('a fixed request belongs to the addresses of its files, and its body has the stated type', () => {
  const request = { method: 'POST', type: 'application/json', body: '{"rows":"all"}' }
  const text = (fields: object) => JSON.stringify({ ...jsonDescription, ...fields }, null, 1)
  expect(described(text({ request })).official.files).toEqual([
    { url: 'https://regulator.example/', resolve: { by: 'direct' }, request },
  ])
  expect(problemsOf(text({ request: { ...request, body: 'rows=all' }, resolve: { by: 'none' } }))).toEqual([
    expect.stringContaining('request is sent to official_url or file_urls'),
    expect.stringContaining('request.body must be JSON'),
  ])
})

test('certificates of a description must be those of authorities, in PEM', () => {
  const text = (extra_ca: string) => JSON.stringify({ ...jsonDescription, extra_ca }, null, 1)
  const pem = rootCertificates[0] ?? ''
  const { files } = described(text(`${pem}\n`)).official
  expect(files).toEqual([
    { url: 'https://regulator.example/', resolve: { by: 'direct' }, extraCa: `${pem}\n` },
  ])
  for (const wrong of ['certificate.pem', pem.slice(0, 200), `${pem}\nand more`, pem.replace('MII', 'MIX')])
    expect(problemsOf(text(wrong))).toEqual([expect.stringMatching(/extra_ca must be certificates of auth/)])
})
